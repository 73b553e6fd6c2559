"""Encoders whose weights come with the package: ``text/weights/NAME``.

A checkout may lack them (they are large files): then the default is what can be fetched.
"""

from __future__ import annotations

from pathlib import Path

from osler.settings import DEFAULT_ENCODER as DEFAULT
from osler.settings import WEIGHTS
from osler.text.wants import FILE

__all__ = ["DEFAULT", "FETCHED", "SMALL", "STATIC", "default_name", "shipped"]

SMALL = "osler-small"
STATIC = "osler-static"
FETCHED = "minilm"
_WEIGHTS = Path(__file__).parent / "weights"


def shipped(name: str) -> Path | None:
    """The folder of an encoder that came with the package, if its weights are here."""
    if name not in (SMALL, STATIC):
        return None
    given = WEIGHTS.get()
    folder = (Path(given).expanduser() if given else _WEIGHTS) / name
    return folder if (folder / FILE).is_file() else None


def default_name() -> str:
    """Our own encoder where its weights are here, else the one that ``osler fetch`` brings."""
    return SMALL if shipped(SMALL) is not None else FETCHED
