"""An encoder whose vectors are kept by text: a pair that comes again costs nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from osler.grade.networks.views import View


class KeptEncoder:
    """Wraps a fixed encoder; for experiments that train many heads on one set of pairs."""

    def __init__(self, encoder: Any) -> None:
        self.encoder = encoder
        self.dimension = int(encoder.dimension)
        self._kept: dict[tuple[str, str, int], Any] = {}

    def vectors(self, views: Sequence[View], length: int) -> np.ndarray[Any, Any]:
        keys = [(view.text, view.fact.text, length) for view in views]
        fresh = {k: v for k, v in zip(keys, views, strict=True) if k not in self._kept}
        if fresh:
            made = self.encoder.vectors(list(fresh.values()), length)
            self._kept.update(zip(fresh, made, strict=True))
        return np.stack([self._kept[key] for key in keys])

    def token_states(self, view: View, length: int) -> Any:
        return self.encoder.token_states(view, length)

    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        state: tuple[dict[str, Any], dict[str, Any]] = self.encoder.state()
        return state
