"""Words by their heat: how warm each is, in a terminal and in HTML."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from html import escape

from rich.text import Text

from osler.explain.marks_html import heat as marked_heat
from osler.kinds import Heat
from osler.text.scripts import CJK_CHARACTER


def scaled(heat: Heat) -> list[tuple[str, float]]:
    """Heats from 0 to 1: what is below zero is cold, the warmest word is 1."""
    most = max((value for _, value in heat.words), default=0.0)
    if most <= 0:
        return [(word, 0.0) for word, _ in heat.words]
    return [(word, max(0.0, value) / most) for word, value in heat.words]


def _style(value: float) -> str:
    if value >= 0.66:
        return "bold white on red"
    if value >= 0.33:
        return "black on yellow"
    return "default" if value > 0.1 else "dim"


def _between(before: str, word: str) -> str:
    """Chinese words stand without blanks."""
    if before and CJK_CHARACTER.search(before[-1]) and CJK_CHARACTER.search(word[:1]):
        return ""
    return " " if before else ""


def heat_line(heat: Heat) -> Text:
    """One line (it may wrap) of coloured words, after the view's name."""
    line = Text(f"{heat.view}: ")
    before = ""
    for word, value in scaled(heat):
        line.append(_between(before, word))
        line.append(word, style=_style(value))
        before = word
    return line


STYLE = (
    ":root{color-scheme:light dark}"
    "body{font-family:sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;line-height:1.7}"
    ".h{border-radius:3px}"
    + "".join(
        f".h{level}{{background:rgba(214,69,65,{0.15 * level:.2f});padding:.1em .2em}}"
        for level in range(1, 6)
    )
)


def heat_html(heat: Heat) -> str:
    """A paragraph; the warmer a word, the redder its ground. All text is escaped, and warmth is
    told by classes (``STYLE``), which a page with a strict content policy shows too."""
    return f'<p class="heat"><b>{escape(heat.view)}</b> {marked_heat(heat.words)}</p>'


def _digest() -> str:
    """The page's policy lets in its own style and no other."""
    return base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()


def heat_page(title: str, blocks: Sequence[tuple[str, Sequence[Heat]]]) -> str:
    """A page of its own, without scripts: for each paper its heading and its heats."""
    body = "".join(
        f"<section><h2>{escape(heading)}</h2>{''.join(map(heat_html, heats))}</section>"
        for heading, heats in blocks
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        f"style-src 'sha256-{_digest()}'\">"
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body><h1>{escape(title)}</h1>{body}</body></html>\n"
    )
