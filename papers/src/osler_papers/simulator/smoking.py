"""Records of the 2006 format. Scale: 502 patients, 6,160 entities, 9,730 triples, 5 relations."""

from __future__ import annotations

from pathlib import Path
from random import Random
from xml.sax.saxutils import escape, quoteattr

from osler_papers.simulator import words as w
from osler_papers.simulator.prose import body

PATIENTS = 502
FIRST = 1001
_STATUS = (
    ("NON-SMOKER", 0.30),
    ("PAST SMOKER", 0.22),
    ("CURRENT SMOKER", 0.20),
    ("SMOKER", 0.08),
    ("UNKNOWN", 0.20),
)
_FACTS = {
    "NON-SMOKER": ("Never used tobacco", "Denies any tobacco use", "No cigarettes ever"),
    "PAST SMOKER": (
        "Quit smoking {n} years ago",
        "Former {n} pack year tobacco use",
        "Gave up cigarettes in 19{m}",
    ),
    "CURRENT SMOKER": (
        "Smokes {p} packs per day",
        "Active tobacco use, {n} pack years",
        "Continues to smoke daily",
    ),
    "SMOKER": ("Positive tobacco history", "Smoking history of {n} pack years"),
    "UNKNOWN": (),
}


def write(out: Path, rng: Random, patients: int) -> None:
    headings = w.HEADINGS[:44]
    parts = ['<?xml version="1.0" encoding="UTF-8"?>\n<ROOT>\n']
    for number in range(FIRST, FIRST + patients):
        status = rng.choices([s for s, _ in _STATUS], [p for _, p in _STATUS])[0]
        lines: list[str] = []
        chosen = sorted(rng.sample(range(len(headings)), rng.choice((7, 8, 8, 8))))
        for at in chosen:
            text = body(headings[at], rng)
            lines.append(f"{headings[at].upper()}: {text}")
        if _FACTS[status]:
            fact = rng.choice(_FACTS[status]).format(
                n=rng.randint(2, 45), m=rng.randint(60, 99), p=rng.randint(1, 3)
            )
            lines.append(f"HABITS: {fact}.")
        text = "\n".join(lines)
        parts.append(
            f"<RECORD ID={quoteattr(str(number))}>\n<SMOKING "
            f"STATUS={quoteattr(status)}></SMOKING>\n"
            f"<TEXT>\n{escape(text)}\n</TEXT>\n</RECORD>\n"
        )
    parts.append("</ROOT>\n")
    (out / "smoking_2006.xml").write_text("".join(parts), encoding="utf-8")
