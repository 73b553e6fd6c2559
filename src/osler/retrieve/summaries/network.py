"""The network of BERTSUM (Liu, 2019), read window by window so that whole papers fit.

Each sentence is ``[CLS] tokens [SEP]``; segments alternate 0, 1, 0, 1 from sentence to sentence
(BERTSUM's interval segments); the encoder's vector at each ``[CLS]`` stands for its sentence.
Inter-sentence layers are a small transformer over those vectors with sinusoidal positions, and a
sigmoid gives the chance that a sentence belongs to the summary:

    h^0 = PosEmb(T);   h^l = layer(h^(l-1)), l = 1 .. L;   y_i = sigma(W h_i^L + b)

BERTSUM cuts a text at 512 tokens, which is the introduction of a paper. Here the encoder reads
windows of whole sentences, and the inter-sentence layers see the sentences of all windows. With
``pooling="mean"``, ours too, a sentence is the mean of its tokens' vectors: what sentence encoders
such as MiniLM are trained to give, while their ``[CLS]`` means little.

This module needs torch; import it inside functions only.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from osler.errors import MissingExtra
from osler.retrieve.summaries.windows import Window
from osler.stopping import check_stopped

try:
    import torch
except ImportError:
    raise MissingExtra("the trained summariser", "neural") from None


class BertSumNetwork(torch.nn.Module):  # type: ignore[misc]
    """``encoder`` is a Hugging Face encoder; ``segments`` says whether it knows two segments."""

    def __init__(
        self,
        encoder: Any,
        *,
        size: int,
        segments: bool = True,
        layers: int = 2,
        heads: int = 8,
        dropout: float = 0.1,
        pooling: str = "cls",
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.segments = segments
        self.pooling = pooling
        layer = torch.nn.TransformerEncoderLayer(
            size, heads, 4 * size, dropout, activation="gelu", batch_first=True, norm_first=True
        )
        # Nested tensors are a fast path for post-norm layers only, and torch warns about them.
        self.between = torch.nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.scale = torch.nn.LayerNorm(size)
        self.norm = torch.nn.LayerNorm(size)
        self.dropout = torch.nn.Dropout(dropout)
        self.out = torch.nn.Linear(size, 1)

    def sentence_vectors(self, windows: Sequence[Window], *, batch: int = 8) -> Any:
        """The vectors of all sentences, in order: (sentences, size)."""
        pooled = []
        for start in range(0, len(windows), batch):
            check_stopped()
            part = windows[start : start + batch]
            width = max(len(window.tokens) for window in part)
            tokens = torch.zeros((len(part), width), dtype=torch.long)
            mask = torch.zeros((len(part), width), dtype=torch.long)
            types = torch.zeros((len(part), width), dtype=torch.long)
            for row, window in enumerate(part):
                length = len(window.tokens)
                tokens[row, :length] = torch.tensor(window.tokens)
                types[row, :length] = torch.tensor(window.segments)
                mask[row, :length] = 1
            more = {"token_type_ids": types} if self.segments else {}
            states = self.encoder(input_ids=tokens, attention_mask=mask, **more).last_hidden_state
            pooled += [self._pooled(states[row], window) for row, window in enumerate(part)]
        return torch.cat(pooled)

    def _pooled(self, states: Any, window: Window) -> Any:
        if self.pooling == "cls":
            return states[window.starts]
        ends = [*window.starts[1:], len(window.tokens)]
        # Without the marks, unless nothing else is there.
        spans = [
            (start + 1, end - 1) if end - start > 2 else (start, end)
            for start, end in zip(window.starts, ends, strict=True)
        ]
        return torch.stack([states[start:end].mean(dim=0) for start, end in spans])

    def forward(self, vectors: Any) -> Any:
        """The logit of each sentence, from the document's sentence vectors (sentences, size)."""
        # Small encoders give short vectors, which the positions would drown: bring them to length.
        states = self.scale(vectors) + positions(vectors.shape[0], vectors.shape[1])
        states = self.between(self.dropout(states).unsqueeze(0)).squeeze(0)
        return self.out(self.norm(states)).squeeze(-1)


def positions(count: int, size: int) -> Any:
    """Sinusoidal position vectors (Vaswani et al., 2017)."""
    places = torch.arange(count, dtype=torch.float32).unsqueeze(1)
    rates = torch.exp(torch.arange(0, size, 2) * (-math.log(10_000.0) / size))
    table = torch.zeros((count, size))
    table[:, 0::2] = torch.sin(places * rates)
    table[:, 1::2] = torch.cos(places * rates[: size // 2])
    return table
