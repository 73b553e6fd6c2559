"""Seeds: the same input gives the same model."""

from __future__ import annotations

import random
import sys
from typing import Any

import numpy as np

Rng = np.random.Generator


def seed_everything(seed: int) -> Rng:
    """Seed Python, NumPy and, where it is installed, torch; returns a generator of its own.

    Code of ours draws from the generator. The global seeds are for what others draw behind our
    back: initial weights, dropout.
    """
    random.seed(seed)
    np.random.seed(seed % 2**32)
    torch = _torch()
    if torch is not None:
        torch.manual_seed(seed)
    return np.random.default_rng(seed)


def _torch() -> Any:
    if "torch" in sys.modules:
        return sys.modules["torch"]
    try:
        import torch
    except ImportError:
        return None
    return torch
