"""AAR: attention-based aspect reasoning (eqs. 1 to 8 of the paper).

A single-layer BiLSTM gives hidden states H^q of the question. For each aspect x of a candidate
(entity e, type t, path p, context c) with embedding h^x:

    u_i = (h^x)^T tanh(W h_i^q + b)          (1)   alignment, from aspect to question only
    alpha = softmax(u)                       (2)
    r^x = sum_i alpha_i h_i^q                (3)
    s_x = (h^x)^T r^x                        (4)
    w_x = (H_avg^q)^T r^x                    (5)   not normalised, as printed
    S(q, a) = sum_x w_x s_x                  (6)

Embeddings start from N(0, 1), as PyTorch's do: the paper says no more than that they are learnt
from scratch, and how far they spread decides how many candidates lie within the margin.

The context is a list of neighbours; the paper leaves its h open: the mean of the neighbours' entity
embeddings is taken. Training and inference: ``osler.ask.embedding``.
"""

from __future__ import annotations

from typing import Any, ClassVar

from osler.ask.answerer import answerers
from osler.ask.aspects import Batch
from osler.ask.embedding import EmbeddingAnswerer
from osler.learn import needs


@answerers.register("aar")
class AAR(EmbeddingAnswerer):
    name = "aar"
    help = "attention-based aspect reasoning: BiLSTM, four aspects, max-margin (the paper's)"
    variants: ClassVar[dict[str, tuple[str, ...]]] = {
        "full": ("entity", "type", "path", "context"),
        "entity & context": ("entity", "context"),
        "type": ("type",),
        "path": ("path",),
        "type & path": ("type", "path"),
    }

    def build(self) -> Any:
        needs.torch("ask's AAR")
        vocabulary = self.aspects
        return _module_class()(
            self.used,
            words=len(vocabulary.words),
            entities=len(vocabulary.entities),
            types=len(vocabulary.types),
            paths=len(vocabulary.paths),
            size=self.size,
            hidden=self.hidden,
            spread=self.spread,
        )


def _module_class() -> Any:
    import torch
    from torch import nn

    class Network(nn.Module):  # type: ignore[misc]
        def __init__(
            self,
            used: tuple[str, ...],
            *,
            words: int,
            entities: int,
            types: int,
            paths: int,
            size: int,
            hidden: int,
            spread: float,
        ) -> None:
            super().__init__()
            self.used = used
            self.words = nn.Embedding(words, size, padding_idx=0)
            self.lstm = nn.LSTM(size, hidden, batch_first=True, bidirectional=True)
            counts = {"entity": entities, "type": types, "path": paths}
            needed = {"entity" if name == "context" else name for name in used}
            self.tables = nn.ModuleDict()
            for name in sorted(needed):
                table = nn.Embedding(counts[name], 2 * hidden, sparse=name == "entity")
                nn.init.normal_(table.weight, std=spread)
                self.tables[f"of_{name}"] = table
            self.align = nn.ModuleDict(
                {f"to_{name}": nn.Linear(2 * hidden, 2 * hidden) for name in used}
            )

        def rows(self, numbers: Any) -> Any:
            """Embeddings of entities; each is fetched once, so that its gradient is one row."""
            once, places = torch.unique(numbers, return_inverse=True)
            return self.tables["of_entity"](once)[places]

        def aspect(self, name: str, numbers: Any) -> Any:
            if name == "context":
                held = (numbers != 0).unsqueeze(-1).float()
                return (self.rows(numbers) * held).sum(2) / held.sum(2).clamp(min=1.0)
            if name == "entity":
                return self.rows(numbers)
            return self.tables[f"of_{name}"](numbers)

        def forward(self, batch: Batch) -> tuple[Any, dict[str, Any], dict[str, Any]]:
            lengths = batch.mask.sum(1).cpu()
            packed = nn.utils.rnn.pack_padded_sequence(
                self.words(batch.words), lengths, batch_first=True, enforce_sorted=False
            )
            states, _ = nn.utils.rnn.pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
            mask = batch.mask[:, : states.shape[1]]
            average = states.sum(1) / lengths.unsqueeze(1).to(states)
            total: Any = 0.0
            weights, attention = {}, {}
            for name in self.used:
                h = self.aspect(name, batch.aspects[name])
                u = h @ torch.tanh(self.align[f"to_{name}"](states)).transpose(1, 2)
                alpha = torch.softmax(u.masked_fill(~mask.unsqueeze(1), -1e9), dim=2)
                r = alpha @ states
                w = (r * average.unsqueeze(1)).sum(2)
                total = total + w * (h * r).sum(2)
                weights[name], attention[name] = w, alpha
            return total, weights, attention

    return Network
