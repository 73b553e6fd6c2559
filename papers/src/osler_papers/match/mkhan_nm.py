"""MKHAN-NM (seed 001, 4.2): MKHAN without the modalities, on the vectors of plain TransH."""

from __future__ import annotations

from typing import ClassVar

from osler.match.mkhan import MKHAN


class MKHANNM(MKHAN):
    """The same network; what differs from MKHAN is what pictures and names give."""

    name = "mkhan-nm"
    help = "MKHAN without modalities: plain TransH embeddings"
    embedding: ClassVar[str] = "transh"
    needs: ClassVar[frozenset[str]] = frozenset({"vectors"})
