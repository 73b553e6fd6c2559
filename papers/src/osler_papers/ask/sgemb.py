"""SGEmb: question answering with subgraph embeddings, the paper's baseline.

The question is the mean of its word embeddings, a candidate the sum of the embeddings of its
entity, its path to the topic entity and its subgraph (the mean of its neighbours); the score is
their dot product. Trained and used as AAR is (eqs. 7 and 8).
"""

from __future__ import annotations

from typing import Any, ClassVar

from osler.ask.aspects import Batch
from osler.ask.embedding import EmbeddingAnswerer
from osler.learn import needs


class SGEmb(EmbeddingAnswerer):
    name = "sgemb"
    help = (
        "subgraph embeddings: mean of words against entity, path and neighbours (the paper's "
        "baseline)"
    )
    variants: ClassVar[dict[str, tuple[str, ...]]] = {
        "full": ("entity", "path", "context"),
        "entity & sub-graph": ("entity", "context"),
        "path": ("path",),
    }

    def build(self) -> Any:
        needs.torch("ask's SGEmb")
        return _module_class()(
            self.used,
            words=len(self.aspects.words),
            entities=len(self.aspects.entities),
            paths=len(self.aspects.paths),
            size=self.size,
            spread=self.spread,
        )


def _module_class() -> Any:
    from torch import nn

    class Network(nn.Module):  # type: ignore[misc]
        def __init__(
            self,
            used: tuple[str, ...],
            *,
            words: int,
            entities: int,
            paths: int,
            size: int,
            spread: float,
        ) -> None:
            super().__init__()
            self.used = used
            self.words = nn.Embedding(words, size, padding_idx=0)
            nn.init.normal_(self.words.weight, std=spread)
            counts = {"entity": entities, "path": paths}
            self.tables = nn.ModuleDict()
            for name in sorted(set(used) & set(counts)):
                table = nn.Embedding(counts[name], size, sparse=name == "entity")
                nn.init.normal_(table.weight, std=spread)
                self.tables[f"of_{name}"] = table

        def forward(self, batch: Batch) -> tuple[Any, dict[str, Any], dict[str, Any]]:
            held = batch.mask.unsqueeze(-1).float()
            question = (self.words(batch.words) * held).sum(1) / held.sum(1).clamp(min=1.0)
            candidate: Any = 0.0
            for name in self.used:
                if name == "context":
                    numbers = batch.aspects["context"]
                    around = (numbers != 0).unsqueeze(-1).float()
                    part = (self.tables["of_entity"](numbers) * around).sum(2) / around.sum(
                        2
                    ).clamp(min=1.0)
                else:
                    part = self.tables[f"of_{name}"](batch.aspects[name])
                candidate = candidate + part
            return (candidate @ question.unsqueeze(2)).squeeze(2), {}, {}

    return Network
