"""What stands beside an answer from facts: its form, sources with their words marked, a time line,
what was left out and why, patients as a table."""

from __future__ import annotations

import datetime
from html import escape
from typing import TYPE_CHECKING

from osler.ask.answer import Answer, Quoted
from osler.explain.timeline_svg import Moment, timeline
from osler.files.spreadsheet import csv_rows

if TYPE_CHECKING:
    from rich.text import Text

AROUND = 160
"""Characters of a source that are shown around the words that say it."""
ROWS = 30


def window(quoted: Quoted) -> tuple[str, str, str]:
    """A source's text before, at and after the words that say it."""
    before, words = quoted.text[: quoted.start], quoted.text[quoted.start : quoted.end]
    after = quoted.text[quoted.end :]
    if len(before) > AROUND:
        before = "…" + before[-AROUND:]
    if len(after) > AROUND:
        after = after[:AROUND] + "…"
    return before, words, after


def fact_lines(text: Text, answer: Answer, *, explain: bool) -> None:
    """Onto a terminal's text; nothing from records is taken as markup."""
    if answer.form_text:
        text.append(f"asked: {answer.form_text}\n", style="dim")
    for bearer in answer.candidates:
        text.append(f"  {bearer.name}  born {bearer.born or '?'}  {bearer.id}\n")
    for term, names in answer.taken_in.items():
        if len(names) > 1 or explain:
            listed = ", ".join(names[:6]) + (
                f" and {len(names) - 6} more" if len(names) > 6 else ""
            )
            text.append(f"taken in for {term}: {listed or 'nothing in these records'}\n")
    for left in answer.left_out[: ROWS if explain else 5]:
        day = f", {left.date}" if left.date else ""
        text.append(f"left out: {left.name} ({left.why}{day})\n")
    for quoted in answer.quoted[: ROWS if explain else 3]:
        before, words, after = window(quoted)
        text.append(f"{quoted.file} {quoted.place}: ", style="dim")
        text.append(" ".join(before.split())[-60:] + " " if before else "")
        text.append(words, style="bold")
        text.append(" " + " ".join(after.split())[:60] + "\n" if after else "\n")


def answer_timeline(answer: Answer, today: datetime.date | None = None) -> str:
    """The patient's facts of the kind that was asked for, drawn."""
    moments = [
        Moment(
            m.name,
            m.start,
            m.end,
            m.value or m.status,
            lasts=m.status == "active",
            chosen=m.chosen,
            faint=m.status in ("not done", "entered in error"),
        )
        for m in answer.timeline
    ]
    return timeline(moments, about="time line", today=today or datetime.date.today())


def patients_table(answer: Answer) -> list[tuple[str, str, str, str]]:
    """A cohort's rows: id, name, birth date, sex."""
    return [(b.id, b.name, b.born, b.sex) for b in answer.patients]


def patients_csv(answer: Answer) -> str:
    """All rows of a cohort, or the answers of one patient, as CSV."""
    if answer.patients:
        return csv_rows([("patient", "name", "birth date", "sex"), *patients_table(answer)])
    return csv_rows([("answer",), *((one,) for one in answer.answers)])


def fact_html(answer: Answer) -> str:
    """The same as a piece of a page; all text escaped."""
    parts = []
    if answer.form_text:
        parts.append(f"<p>asked: {escape(answer.form_text)}</p>")
    if answer.patients:
        rows = "".join(
            "<tr>" + "".join(f"<td>{escape(c)}</td>" for c in row) + "</tr>"
            for row in patients_table(answer)
        )
        parts.append(
            "<table><tr><th>patient</th><th>name</th><th>birth date</th><th>sex</th></tr>"
            f"{rows}</table>"
        )
    for quoted in answer.quoted:
        before, words, after = window(quoted)
        where = escape(f"{quoted.file} {quoted.place}".strip())
        parts.append(
            f"<blockquote>{escape(before)}<mark>{escape(words)}</mark>{escape(after)}"
            f"<footer>{where}</footer></blockquote>"
        )
    if answer.left_out:
        listed = "".join(
            f"<li>{escape(left.name)}: {escape(left.why)} {escape(left.date)}</li>"
            for left in answer.left_out
        )
        parts.append(f"<h2>Left out</h2><ul>{listed}</ul>")
    return "".join(parts) + answer_timeline(answer)
