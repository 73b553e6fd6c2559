"""A small encoder of text pairs, trained here from scratch: a few transformer layers.

Each token is a word or a Chinese character; words outside the vocabulary share hashed rows. Beside
word and position a token has a mark: inside a mention of the head, of the tail, or part of the
fact itself. The first position stands for the pair, as [CLS] does in BERT.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np
import torch
from torch import Tensor, nn

from osler.grade.networks.views import HEAD, RELATION, TAIL, View
from osler.text.tokens import Token, tokens

PAD, CLS, SEP = 0, 1, 2
SPECIAL = 3
BUCKETS = 256
MARKS = 4
MOST_FACT = 48


class SmallEncoder(nn.Module):  # type: ignore[misc]
    """``states`` gives every token's state; ``vectors`` the pair's."""

    def __init__(
        self,
        words: Sequence[str],
        *,
        dimension: int = 128,
        layers: int = 2,
        heads: int = 4,
        positions: int = 512,
        dropout: float = 0.1,
    ) -> None:
        super().__init__()
        self.words = list(words)
        self._numbers = {word: SPECIAL + BUCKETS + n for n, word in enumerate(self.words)}
        self.dimension = dimension
        self.shape = {
            "dimension": dimension,
            "layers": layers,
            "heads": heads,
            "positions": positions,
        }
        self.embedded = nn.Embedding(SPECIAL + BUCKETS + len(self.words), dimension, PAD)
        self.placed = nn.Embedding(positions, dimension)
        self.marked = nn.Embedding(MARKS, dimension)
        self.sided = nn.Embedding(2, dimension)
        for table in (self.embedded, self.placed, self.marked, self.sided):
            nn.init.normal_(table.weight, std=0.05 if table is not self.marked else 0.2)
        self.norm = nn.LayerNorm(dimension)
        layer = nn.TransformerEncoderLayer(
            dimension,
            heads,
            dim_feedforward=2 * dimension,
            dropout=dropout,
            activation="gelu",
            batch_first=True,
            norm_first=True,
        )
        self.layers = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        for one in self.layers.layers:
            # Dropping attention weights keeps torch from its quick product: twice the time.
            one.self_attn.dropout = 0.0
        self.last = nn.LayerNorm(dimension)
        self.dropout = nn.Dropout(dropout)

    @property
    def module(self) -> nn.Module:
        """What a training updates."""
        return self

    @classmethod
    def over(
        cls, texts: Iterable[str], *, least: int = 3, most: int = 8_000, **options: Any
    ) -> Self:
        """An untrained encoder whose vocabulary is the frequent words of some texts."""
        counts: Counter[str] = Counter()
        for text in texts:
            counts.update(token.text.casefold() for token in tokens(text))
        kept = sorted(counts, key=lambda word: (-counts[word], word))[:most]
        return cls([word for word in kept if counts[word] >= least], **options)

    def number(self, token: str) -> int:
        word = token.casefold()
        number = self._numbers.get(word)
        return SPECIAL + zlib.crc32(word.encode()) % BUCKETS if number is None else number

    def pieces(self, view: View, length: int) -> tuple[list[Token], list[int]]:
        """The text's tokens that fit beside the fact, with their marks."""
        room = max(1, length - 3 - min(MOST_FACT, len(_fact(view))))
        pieces = tokens(view.text)[:room]
        return pieces, _marks(pieces, view)

    def pack(self, views: Sequence[View], length: int) -> tuple[Tensor, Tensor, Tensor]:
        """Ids, marks and sides, padded to the longest."""
        rows = []
        for view in views:
            text, marks = self.pieces(view, length)
            fact = _fact(view)[:MOST_FACT]
            ids = [CLS, *(self.number(t.text) for t in text), SEP]
            ids += [*(self.number(word) for word, _ in fact), SEP]
            own = [0, *marks, 0, *(mark for _, mark in fact), 0]
            sides = [0] * (len(text) + 2) + [1] * (len(fact) + 1)
            rows.append((ids, own, sides))
        longest = max(len(ids) for ids, _, _ in rows)
        packed = np.zeros((3, len(rows), longest), dtype=np.int64)
        for place, row in enumerate(rows):
            for column, values in enumerate(row):
                packed[column, place, : len(values)] = values
        return tuple(torch.from_numpy(part) for part in packed)

    def _entered(self, ids: Tensor, marks: Tensor, sides: Tensor) -> Tensor:
        """What the first layer is given."""
        places = torch.arange(ids.shape[1]).clamp(max=self.shape["positions"] - 1)
        x = self.embedded(ids) + self.placed(places) + self.marked(marks) + self.sided(sides)
        entered: Tensor = self.dropout(self.norm(x))
        return entered

    def forward(self, ids: Tensor, marks: Tensor, sides: Tensor) -> Tensor:
        x = self._entered(ids, marks, sides)
        states: Tensor = self.last(self.layers(x, src_key_padding_mask=ids == PAD))
        return states

    def first(self, ids: Tensor, marks: Tensor, sides: Tensor) -> Tensor:
        """``forward`` at the first position alone: there the last layer asks for one token, not
        for all, which halves the work of two layers."""
        x, away = self._entered(ids, marks, sides), ids == PAD
        *below, layer = self.layers.layers
        for one in below:
            x = one(x, src_key_padding_mask=away)
        every, top = layer.norm1(x), x[:, :1]
        asked, _ = layer.self_attn(
            every[:, :1], every, every, key_padding_mask=away, need_weights=False
        )
        top = top + layer.dropout1(asked)
        top = top + layer.dropout2(
            layer.linear2(layer.dropout(layer.activation(layer.linear1(layer.norm2(top)))))
        )
        state: Tensor = self.last(top[:, 0])
        return state

    def pooled(self, views: Sequence[View], length: int) -> Tensor:
        """The state of the first position of each pair, with gradients."""
        return self.first(*self.pack(views, length))

    def vectors(
        self, views: Sequence[View], length: int, *, batch: int = 32
    ) -> np.ndarray[Any, Any]:
        """The pairs' vectors, without gradients, texts of like length together."""
        self.eval()
        vectors = np.zeros((len(views), self.dimension), dtype=np.float32)
        order = sorted(range(len(views)), key=lambda row: len(views[row].text))
        with torch.no_grad():
            for start in range(0, len(order), batch):
                rows = order[start : start + batch]
                vectors[rows] = self.pooled([views[row] for row in rows], length).numpy()
        return vectors

    def token_states(self, view: View, length: int) -> tuple[list[Token], np.ndarray[Any, Any]]:
        """The text's tokens and their states."""
        self.eval()
        text, _ = self.pieces(view, length)
        with torch.no_grad():
            states = self(*self.pack([view], length))[0, 1 : 1 + len(text)]
        return text, states.numpy()

    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        tensors = {name: value.numpy() for name, value in self.state_dict().items()}
        return tensors, {"kind": "small", "words": self.words, **self.shape}

    @classmethod
    def restore(cls, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        shape = {name: int(config[name]) for name in ("dimension", "layers", "heads", "positions")}
        encoder = cls([str(word) for word in config["words"]], **shape)
        encoder.load_state_dict(
            {name: torch.from_numpy(np.array(value)) for name, value in tensors.items()}
        )
        encoder.eval()
        return encoder


def _fact(view: View) -> list[tuple[str, int]]:
    parts = ((view.fact.head, HEAD), (view.fact.relation, RELATION), (view.fact.tail, TAIL))
    return [(token.text, mark) for text, mark in parts for token in tokens(text)]


def _marks(pieces: Sequence[Token], view: View) -> list[int]:
    marks = [0] * len(pieces)
    for places, mark in ((view.heads, HEAD), (view.tails, TAIL)):
        for start, end in places:
            for number, token in enumerate(pieces):
                if token.start < end and start < token.end:
                    marks[number] = mark
    return marks
