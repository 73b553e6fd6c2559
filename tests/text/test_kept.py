"""What is kept of texts: found once, by the text alone, and never more than so many."""

from __future__ import annotations

from osler.text.kept import Kept


def test_found_once_for_each_text() -> None:
    kept: Kept[str] = Kept(3)
    found: list[str] = []

    def find(text: str) -> str:
        found.append(text)
        return text.upper()

    for text in ("a", "b", "a", "b"):
        assert kept.of((text, 1), lambda text=text: find(text)) == text.upper()  # type: ignore[misc]
    assert found == ["a", "b"]
    assert kept.of(("a", 2), lambda: find("another")) == "ANOTHER"


def test_never_more_than_so_many() -> None:
    kept: Kept[int] = Kept(3)
    for number in range(10):
        assert kept.of(number, lambda number=number: number * 2 + 1) == number * 2 + 1  # type: ignore[misc]
        assert len(kept) <= 3
