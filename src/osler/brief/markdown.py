"""A brief as Markdown."""

from __future__ import annotations

import re

from osler.brief import parts
from osler.brief.brief import Brief, Quote

_MARKS = re.compile(r"([\\`*_{}\[\]<>#|])")


def to_markdown(brief: Brief) -> str:
    """The page as Markdown, quotes as block quotes."""
    lines = [f"# {_plain(brief.question)}", ""]
    lines += [f"*{_plain(brief.library)}, {brief.date}*", "", f"**{_plain(brief.words)}**", ""]
    if brief.designs:
        lines += [*_table(brief), ""]
    for heading, quotes in parts.quoted(brief):
        lines += [f"## {heading}", ""]
        for number, quote in enumerate(quotes, 1):
            lines += [*_quote(number, quote), ""]
    lines += [f"## {parts.SEARCHED}", ""]
    lines += [f"- {_plain(line)}" for line in (*parts.searched(brief), *brief.notes)]
    lines += ["", f"## {parts.LIMITS}", ""]
    lines += [f"- {_plain(limit)}" for limit in brief.limits]
    return "\n".join(lines) + "\n"


def _table(brief: Brief) -> list[str]:
    sides = [side for side, count in brief.sides.items() if count]
    rows = ["| design | " + " | ".join(sides) + " |", "| --- |" + " ---: |" * len(sides)]
    for design, counts in brief.designs.items():
        cells = (str(counts.get(side, 0)) for side in sides)
        rows.append(f"| {_plain(design or 'not told')} | " + " | ".join(cells) + " |")
    return rows


def _quote(number: int, quote: Quote) -> list[str]:
    cited = f" {_plain(quote.cited)}." if quote.cited else ""
    lines = [f"{number}. **{_plain(quote.title)}**{cited}"]
    if account := parts.told(quote):
        lines.append(f"   {_plain(account)}")
    lines += ["", f"   > {_plain(' '.join(quote.text.split()))}", ""]
    return [*lines, f"   {_plain(parts.place(quote))}"]


def _plain(text: str) -> str:
    """A text that shows as it is."""
    return _MARKS.sub(r"\\\1", " ".join(text.split()))
