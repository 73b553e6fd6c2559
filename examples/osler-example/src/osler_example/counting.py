"""What the view and the command show: how many papers each journal has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from osler import Document


def journals(documents: Iterable[Document], most: int = 20) -> list[tuple[str, int]]:
    """The journals with most papers; papers that name none stand under a dash."""
    counts = Counter(document.journal or "-" for document in documents)
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:most]
