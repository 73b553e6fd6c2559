"""An answer for the terminal and as a page: names, path, sources, and words by their heat."""

from __future__ import annotations

from html import escape
from typing import Any

from osler.ask.answer import Answer
from osler.ask.shown import fact_html, fact_lines
from osler.kinds import AspectWeights, Heat, PathReason
from osler.text.chance import chance
from osler.text.counted import counted

SHOWN = 30


def answer_lines(answer: Answer, *, explain: bool = False) -> Any:
    """Rich text; everything that comes from records is printed as it is, never as markup."""
    from rich.text import Text

    text = Text()
    if answer.refused:
        text.append("no answer", style="bold")
        text.append(f": {answer.note or 'no answer in these records'}\n")
    else:
        for name in answer.answers[:SHOWN]:
            text.append(f"{name}\n", style="bold")
        if len(answer.answers) > SHOWN:
            text.append(f"and {len(answer.answers) - SHOWN:,} more\n")
        text.append(
            f"confidence {chance(answer.confidence)}, {counted(len(answer.entities), 'entity')}\n"
        )
    if answer.form:
        if answer.note and not answer.refused:
            text.append(f"{answer.note}\n")
        fact_lines(text, answer, explain=explain)
    elif answer.path:
        text.append(f"path: {answer.path}\n")
    if answer.sources and not answer.quoted:
        shown = ", ".join(answer.sources[: 20 if explain else 5])
        text.append(f"sources: {shown}\n")
    if explain:
        for reason in answer.reasons:
            if isinstance(reason, PathReason):
                text.append(f"  {reason.line}\n")
            elif isinstance(reason, AspectWeights):
                shares = ", ".join(f"{name} {value:.2f}" for name, value in reason.weights.items())
                text.append(f"aspects: {shares}\n")
            elif isinstance(reason, Heat):
                text.append(f"{reason.view}: ")
                for word, heat in reason.words:
                    text.append(word, style=_style(heat))
                    text.append(" ")
                text.append("\n")
    return text


def _style(heat: float) -> str:
    if heat >= 0.66:
        return "bold white on red"
    if heat >= 0.33:
        return "black on yellow"
    return "default" if heat > 0.05 else "dim"


def answer_html(answer: Answer) -> str:
    """A page without scripts; all text escaped."""
    rows = []
    for reason in answer.reasons:
        if isinstance(reason, Heat):
            most = max((h for _, h in reason.words), default=1.0) or 1.0
            words = " ".join(
                f'<span style="background:rgba(214,69,65,{max(0.0, h) / most:.2f})">'
                f"{escape(w)}</span>"
                for w, h in reason.words
            )
            rows.append(f"<p><b>{escape(reason.view)}</b> {words}</p>")
        elif isinstance(reason, AspectWeights):
            cells = "".join(
                f"<td>{escape(n)}</td><td>{v:.2f}</td>" for n, v in reason.weights.items()
            )
            rows.append(f"<table><tr>{cells}</tr></table>")
        elif isinstance(reason, PathReason):
            rows.append(f"<p>{escape(reason.line)}</p>")
    answers = (
        "".join(f"<li>{escape(name)}</li>" for name in answer.answers)
        or f"<li>no answer: {escape(answer.note)}</li>"
    )
    sources = ", ".join(escape(s) for s in answer.sources)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'\">"
        f"<title>osler ask</title></head><body><h1>{escape(answer.question)}</h1><ul>{answers}</ul>"
        f"<p>confidence "
        f"{chance(answer.confidence)}</p><p>{escape(answer.path)}</p>{''.join(rows)}{fact_html(answer)}"
        f"<p>{sources}</p></body></html>\n"
    )
