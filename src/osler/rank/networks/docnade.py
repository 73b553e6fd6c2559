"""DocNADE and its supervised forms (equations 2 to 6).

    h_i(v_<i)  = f(c + sum_{j<i} W[:, v_j])
    p(v_i = w | v_<i) = softmax(b + U h_i)[w]
    L_unsup(v) = sum_i log p(v_i | v_<i)                                   (2)
    h(v)       = f(c + sum_i W[:, v_i])                                    (3)
    L_hybrid   = L_sup + lambda * L_unsup,  L_sup = log p(y = q | v)       (4)
    h(v)       = f(c + sum_i alpha_i W[:, v_i])                            (5)
    h_e(v)     = f(c_e + sum_i alpha_i [E_fast ; E_word2vec][:, v_i])      (6)

Where the paper is silent or cannot be meant: p(v) is a product, so its logarithm is a sum; L_sup is
the logarithm of the probability; eq. 6 adds vectors of different lengths, so they are concatenated,
and c_e is a bias of its own. The attention is alpha_i = D * softmax_i(a[v_i]) with one learned
number a word: zero numbers give eq. 3 back. In eq. 6, where the vectors are fixed and cannot
shrink, alpha sums to 1, for a sum of a hundred vectors would saturate f. f is tanh.

The sums over j < i are one cumulative sum: a document costs O(D H) for all hidden states together.
What remains, and dominates, is the softmax over the vocabulary; positions of all documents of a
batch go through it together, without the padding, in blocks that stay in the processor's cache.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

# Positions whose rows of probabilities (some thousand words each) fit a cache together.
BLOCK = 128


class _Cost(torch.autograd.Function):  # type: ignore[misc]
    """-log softmax(b + U h)[word] of each position, block by block.

    The same as ``cross_entropy(addmm(b, h, U.t()), words)`` with its gradients. Torch's own walks
    over a table of positions x words several times in main memory; this one holds the softmax once.
    """

    @staticmethod
    def forward(ctx: Any, hidden: Tensor, u: Tensor, b: Tensor, words: Tensor) -> Tensor:
        shares = hidden.new_empty(len(hidden), len(u))
        cost = hidden.new_empty(len(hidden))
        turned = u.t()
        for start in range(0, len(hidden), BLOCK):
            part = slice(start, start + BLOCK)
            rows = torch.addmm(b, hidden[part], turned, out=shares[part])
            top = rows.amax(1, keepdim=True)
            chosen = rows.gather(1, words[part].unsqueeze(1))
            total = rows.sub_(top).exp_().sum(1, keepdim=True)
            cost[part] = (total.log() + top - chosen).squeeze(1)
            rows.div_(total)
        ctx.save_for_backward(hidden, u, words)
        ctx.shares = shares
        return cost

    @staticmethod
    def backward(ctx: Any, above: Tensor) -> tuple[Tensor, Tensor, Tensor, None]:
        hidden, u, words = ctx.saved_tensors
        to_hidden, to_u = torch.empty_like(hidden), torch.zeros_like(u)
        to_b = u.new_zeros(len(u))
        for start in range(0, len(hidden), BLOCK):
            part = slice(start, start + BLOCK)
            weight = above[part].unsqueeze(1)
            rows = ctx.shares[part] * weight
            rows.scatter_add_(1, words[part].unsqueeze(1), -weight)
            torch.mm(rows, u, out=to_hidden[part])
            to_u.addmm_(rows.t(), hidden[part])
            to_b.add_(rows.sum(0))
        return to_hidden, to_u, to_b, None


class DocNade(nn.Module):  # type: ignore[misc]
    """``features`` has a row a word of the vocabulary; without ``topics`` it is unsupervised."""

    e: Tensor | None

    def __init__(
        self,
        vocabulary: int,
        hidden: int,
        *,
        topics: int = 0,
        attention: bool = False,
        features: Any = None,
    ) -> None:
        super().__init__()
        self.w = nn.Parameter(torch.randn(vocabulary, hidden) * 0.05)
        self.c = nn.Parameter(torch.zeros(hidden))
        self.u = nn.Parameter(torch.randn(vocabulary, hidden) * 0.05)
        self.b = nn.Parameter(torch.zeros(vocabulary))
        self.a = nn.Parameter(torch.zeros(vocabulary)) if attention else None
        width = hidden
        if features is not None:
            table = torch.as_tensor(features, dtype=torch.float32)
            self.c_e = nn.Parameter(torch.zeros(table.shape[1]))
            width += table.shape[1]
        else:
            table = None
        self.register_buffer("e", table)
        self.output = nn.Linear(width, topics) if topics else None

    def states(self, ids: Tensor) -> Tensor:
        """h_i of every position of a batch (documents x length): eq. 2's hidden states."""
        embedded = self.w[ids]
        return torch.tanh(self.c + embedded.cumsum(1) - embedded)

    def log_likelihood(self, ids: Tensor, mask: Tensor, *, keep: Tensor | None = None) -> Tensor:
        """L_unsup of each document. ``keep`` picks positions (a sampled estimate of the sum)."""
        chosen = mask if keep is None else mask & keep
        hidden = self.states(ids)[chosen]
        cost: Tensor = _Cost.apply(hidden, self.u, self.b, ids[chosen])
        owner = torch.arange(len(ids)).unsqueeze(1).expand_as(ids)[chosen]
        return -torch.zeros(len(ids), dtype=cost.dtype).index_add(0, owner, cost)

    def weights(self, ids: Tensor, mask: Tensor) -> Tensor:
        """alpha / D: sums to 1 over a document's positions."""
        scores = self.a[ids] if self.a is not None else torch.zeros(ids.shape)
        # A document without a known word has no position: its softmax would be 0 / 0.
        scores = scores.masked_fill(~mask, -1e9)
        return torch.softmax(scores, dim=1) * mask

    def document(self, ids: Tensor, mask: Tensor) -> Tensor:
        """h(v), with h_e(v) beside it where there are features: eqs. 3, 5, 6."""
        share = self.weights(ids, mask).unsqueeze(2)
        length = mask.sum(1, keepdim=True)
        parts = [torch.tanh(self.c + length * (share * self.w[ids]).sum(1))]
        if self.e is not None:
            parts.append(torch.tanh(self.c_e + (share * self.e[ids]).sum(1)))
        return torch.cat(parts, dim=1)

    def logits(self, ids: Tensor, mask: Tensor) -> Tensor:
        """d + S concat(h, h_e): what p(q | v) is the softmax of."""
        logits: Tensor = self.output(self.document(ids, mask))  # type: ignore[misc]
        return logits
