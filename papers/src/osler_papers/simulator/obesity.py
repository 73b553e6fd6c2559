"""Records of the 2008 format. Scale: 1,103 patients, 17,861 entities, 42,474 triples, 8
relations."""

from __future__ import annotations

from pathlib import Path
from random import Random
from xml.sax.saxutils import escape, quoteattr

from osler_papers.simulator import words as w
from osler_papers.simulator.prose import body

PATIENTS = 1103
FIRST = 10001
_RATE = (0.13, 0.5, 0.4, 0.2, 0.66, 0.15, 0.2, 0.12, 0.5, 0.7, 0.05, 0.16, 0.4, 0.14, 0.14, 0.04)


def write(out: Path, rng: Random, patients: int) -> None:
    headings = w.HEADINGS[:39]
    docs: list[str] = []
    judged: dict[str, dict[str, list[tuple[int, str]]]] = {"textual": {}, "intuitive": {}}
    for number in range(FIRST, FIRST + patients):
        chosen = sorted(rng.sample(range(len(headings)), rng.choice((9, 9, 9, 10))))
        lines = [f"{headings[at].upper()}: {body(headings[at], rng)}" for at in chosen]
        docs.append(
            f"<doc "
            f"id={quoteattr(str(number))}>\n<text>\n{escape(chr(10).join(lines))}\n</text>\n</doc>\n"
        )
        for disease, rate in zip(w.OBESITY_DISEASES, _RATE, strict=True):
            draw = rng.random()
            textual = (
                "Y" if draw < rate * 0.82 else "N" if draw > 0.985 else "Q" if draw > 0.978 else "U"
            )
            judged["textual"].setdefault(disease, []).append((number, textual))
            if textual == "Y":
                intuitive = "Y" if rng.random() < 0.95 else "Q"
            else:
                intuitive = "N" if rng.random() < 0.96 else "Y"
            judged["intuitive"].setdefault(disease, []).append((number, intuitive))
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    folder = out / "obesity_2008"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "obesity_records.xml").write_text(
        f"{head}<root>\n<docs>\n{''.join(docs)}</docs>\n</root>\n", encoding="utf-8"
    )
    for source, diseases in judged.items():
        parts = [head, f'<diseaseset>\n<diseases source="{source}">\n']
        for disease, marks in diseases.items():
            parts.append(f"<disease name={quoteattr(disease)}>\n")
            parts += [f'<doc id="{number}" judgment="{mark}"/>\n' for number, mark in marks]
            parts.append("</disease>\n")
        parts.append("</diseases>\n</diseaseset>\n")
        (folder / f"obesity_annotations_{source}.xml").write_text("".join(parts), encoding="utf-8")
