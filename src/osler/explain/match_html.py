"""Matched answers as a page: no script, all text escaped, one drawing an answer."""

from __future__ import annotations

from html import escape

from osler.explain.paths_svg import pair_svg, path_text
from osler.kinds import EntityPair, GradeReason, Hit, Mentions, PathReason, Ranking, ScoreParts
from osler.text.chance import chance

STYLE = (
    "body{font-family:sans-serif;max-width:60rem;margin:2rem auto;color:#1b1b1b}"
    "mark.question{background:#fff3b0}mark.answer{background:#cfe4ff}"
    "table{border-collapse:collapse}td,th{padding:.1rem .6rem;text-align:left}"
    "td.number{text-align:right;font-variant-numeric:tabular-nums}details{margin:.5rem 0}"
)


def ranking_html(ranking: Ranking) -> str:
    """The question and each answer with its entities, its score's parts, its paths."""
    question = escape(ranking.query)
    for hit in ranking.hits[:1]:
        question = marked(ranking.query, hit, "question")
    answers = "".join(_answer(ranking.query, hit) for hit in ranking.hits)
    shown_notes = list(ranking.notes)
    none = (
        f"<p><strong>{escape(shown_notes.pop(0))}</strong></p>" if ranking.answered is False else ""
    )
    notes = "".join(f"<p>{escape(note)}</p>" for note in shown_notes)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        f"style-src 'unsafe-inline'\"><title>osler match</title><style>{STYLE}</style></head>"
        f"<body><h1>{question}</h1>{none}<ol>{answers}</ol>{notes}</body></html>\n"
    )


def marked(text: str, hit: Hit, where: str) -> str:
    """A text escaped, its mentions of entities coloured."""
    spans = [
        span
        for reason in hit.reasons
        if isinstance(reason, Mentions) and reason.where == where
        for span in reason.spans
    ]
    html, at = "", 0
    for start, end, id, kind in sorted(spans):
        if start < at or end > len(text):
            continue
        html += escape(text[at:start])
        title = escape(f"{id} ({kind})" if kind else id, quote=True)
        html += f'<mark class="{where}" title="{title}">{escape(text[start:end])}</mark>'
        at = end
    return html + escape(text[at:])


def _answer(question: str, hit: Hit) -> str:
    rows = []
    for reason in hit.reasons:
        if isinstance(reason, EntityPair):
            rows.append((f"{reason.question_name} \u2013 {reason.answer_name}", reason.weight))
        elif isinstance(reason, PathReason):
            rows.append((path_text(reason), reason.weight))
    joined = "".join(
        f'<tr><td>{escape(name)}</td><td class="number">{weight:.4f}</td></tr>'
        for name, weight in rows
    )
    parts = "".join(
        f'<tr><td>{escape(name)}</td><td class="number">{value:+.3f}</td></tr>'
        for reason in hit.reasons
        if isinstance(reason, ScoreParts)
        for name, value in sorted(reason.contributed.items(), key=lambda p: (-abs(p[1]), p[0]))
        if abs(value) >= 0.0005
    )
    answering = "".join(
        f", answers with probability {chance(reason.probabilities['answers'])}"
        for reason in hit.reasons
        if isinstance(reason, GradeReason)
    )
    sentence = f"<blockquote>{escape(hit.evidence.text)}</blockquote>" if hit.evidence else ""
    return (
        f"<li><p>{marked(hit.title, hit, 'answer')}</p>"
        f"<p>{escape(hit.id)}, score {hit.score:.3f}{answering}</p>{sentence}"
        f"<details><summary>entity pairs and paths</summary><table>{joined}</table></details>"
        f"<details><summary>parts of the score</summary><table>{parts}</table></details>"
        f"{pair_svg(question, hit) if hit.reasons else ''}</li>"
    )
