"""MKHAN's network (seed 001, sections 3.3.3 and 3.4): words, paths, and attention over both.

Two forms. ``printed`` is the paper's: sums over attended rows (eqs. 11 to 13), ReLU before the
softmax (eq. 15), a layer over [x_q, c, x_a] (eqs. 18, 19). ``ours`` reads the same equations with
means for sums (an answer's length is no reason), no ReLU at the weights' end (it kills gradients at
zero, so that pairs of entities stay alike), the relations of a path added to its entities (they
never enter X^p in the paper), and, beside [x_q, c, x_a], their products and how well each word of
one text finds its like in the other: a layer over concatenated vectors alone can hardly learn from
some thousand pairs that equal words matter.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from osler.match.networks.attention import FAR, SelfAttention, column_means

Tensor = Any


class MKHAN(nn.Module):  # type: ignore[misc]
    """``paths`` are entity vectors (batch, entity pairs, paths, length, width); ``there`` says
    which are real; ``labels`` are relation numbers of the steps, shifted by one (0 pads)."""

    def __init__(
        self, vectors: Tensor, width: int, relations: int, *, form: str = "ours", hidden: int = 100
    ) -> None:
        super().__init__()
        self.form = form
        size = int(vectors.shape[1])
        self.words = nn.Embedding.from_pretrained(vectors, freeze=False, padding_idx=0)
        self.utterance = SelfAttention(size)
        self.path = SelfAttention(width)
        self.pair = SelfAttention(width)
        self.drop = nn.Dropout(0.2)
        self.weigh = nn.Linear(2 * size + width, hidden)
        self.weigh_more = nn.Linear(hidden, 1)
        joint = 2 * size + width
        if form == "ours":
            self.relations = nn.Embedding(relations + 1, width, padding_idx=0)
            self.salience = nn.Embedding(len(vectors), 1, padding_idx=0)
            nn.init.zeros_(self.salience.weight)
            self.narrow = nn.Linear(width, size, bias=False)
            joint += 3 * size + 4
        self.out = nn.Sequential(nn.Linear(joint, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def said(self, words: Tensor) -> tuple[Tensor, Tensor]:
        """x_q or x_a (eq. 12), and the words' own vectors."""
        mask = words != 0
        rows = self.words(words)
        attended, _ = self.utterance(rows, mask)
        total = attended.sum(1)
        if self.form == "ours":
            total = total / mask.sum(1, keepdim=True).clamp(min=1)
        return total, rows

    def walked(self, paths: Tensor, there: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
        """x_{p^i} of each entity pair (eqs. 10, 11, 13) and the weights of its paths."""
        batch, pairs, count, length, width = paths.shape
        rows = paths
        if self.form == "ours" and labels.shape[-1]:
            # Each entity carries the relation by which it was reached; the first has none.
            reached = self.relations(labels)
            none = torch.zeros_like(rows[..., :1, :])
            rows = rows + torch.cat([none, reached], -2) * there.unsqueeze(-1)
        # Most of a table is padding: only real paths are attended to.
        real = there.reshape(-1, length)
        held = real.any(1)
        flat, mask = rows.reshape(-1, length, width)[held], real[held]
        attended, _ = self.path(flat, mask)
        summed = attended.sum(1)
        if self.form == "ours":
            summed = summed / mask.sum(1, keepdim=True).clamp(min=1)
        each = torch.zeros(len(held), width).index_put((held.nonzero().squeeze(1),), summed)
        each = each.view(batch * pairs, count, width)
        walks = there.any(-1).view(batch * pairs, count)
        together, weights = self.pair(each, walks)
        pair = together.sum(1)
        if self.form == "ours":
            pair = pair / walks.sum(1, keepdim=True).clamp(min=1)
        return pair.view(batch, pairs, width), column_means(weights, walks).view(
            batch, pairs, count
        )

    def alpha(self, question: Tensor, pairs: Tensor, answer: Tensor, real: Tensor) -> Tensor:
        """The weights of the entity pairs (eqs. 14 to 16)."""
        count = pairs.shape[1]
        around = [
            question.unsqueeze(1).expand(-1, count, -1),
            pairs,
            answer.unsqueeze(1).expand(-1, count, -1),
        ]
        heat = self.weigh_more(torch.relu(self.weigh(torch.cat(around, 2)))).squeeze(2)
        if self.form == "printed":
            heat = torch.relu(heat)
        return torch.softmax(heat.masked_fill(~real, FAR), 1) * real

    def met(self, first: Tensor, second: Tensor, left: Tensor, right: Tensor) -> Tensor:
        """How well the words of each text find their like in the other, by learned salience."""
        like = nn.functional.normalize(left, dim=2) @ nn.functional.normalize(
            right, dim=2
        ).transpose(1, 2)
        gaps = (first == 0).unsqueeze(2) | (second == 0).unsqueeze(1)
        like = like.masked_fill(gaps, 0.0)
        meetings = []
        for words, best in ((first, like.amax(2)), (second, like.amax(1))):
            heat = self.salience(words).squeeze(2).masked_fill(words == 0, FAR)
            weights = torch.softmax(heat, 1)
            meetings.append((weights * best).sum(1))
            meetings.append((weights * (best > 0.999)).sum(1))
        return torch.stack(meetings, 1)

    def forward(
        self, first: Tensor, second: Tensor, paths: Tensor, there: Tensor, labels: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Scores (eq. 19), the weights of entity pairs, those of paths within their pair."""
        question, left = self.said(first)
        answer, right = self.said(second)
        pairs, within = self.walked(paths, there, labels)
        real = there.flatten(2).any(2)
        alpha = self.alpha(question, pairs, answer, real)
        # Eq. 17; without any path c is zero.
        context = (alpha.unsqueeze(2) * pairs).sum(1)
        parts = [self.drop(question), self.drop(context), self.drop(answer)]
        if self.form == "ours":
            narrow = self.narrow(context)
            parts += [question * answer, narrow * question, narrow * answer]
            parts.append(self.met(first, second, left, right))
        return self.out(torch.cat(parts, 1)).squeeze(1), alpha, within
