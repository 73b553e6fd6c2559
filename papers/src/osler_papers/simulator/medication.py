"""Records of the 2009 format. Scale: 261 patients, 28,821 entities, 53,519 triples, 14
relations."""

from __future__ import annotations

from pathlib import Path
from random import Random

from osler_papers.simulator import words as w
from osler_papers.simulator.note import Note
from osler_papers.simulator.prose import body

PATIENTS = 261
FIRST = 20001
_RATES = {"do": 0.72, "mo": 0.62, "f": 0.68, "du": 0.13, "r": 0.28}
_VALUES = {"do": w.DOSAGES, "mo": w.MODES, "f": w.FREQUENCIES, "du": w.DURATIONS}
_EVENTS = ("start", "continue", "stop")
_TENSES = ("past", "present", "future")
_CERTAINTY = ("factual", "suggestion", "conditional")


def write(out: Path, rng: Random, patients: int) -> None:
    headings = w.HEADINGS[:32]
    notes, entries = out / "medication_2009" / "notes", out / "medication_2009" / "annotations"
    notes.mkdir(parents=True, exist_ok=True)
    entries.mkdir(parents=True, exist_ok=True)
    for number in range(FIRST, FIRST + patients):
        note = Note()
        lines: list[str] = []
        chosen = sorted(rng.sample(range(len(headings)), rng.choice((11, 12, 13))))
        for at in chosen:
            note.line(f"{headings[at].upper()}: {body(headings[at], rng)}")
        listed = rng.randint(20, 29)
        drugs = rng.sample(w.MEDICATIONS, min(listed, len(w.MEDICATIONS)))
        note.line("MEDICATIONS ON DISCHARGE :")
        for at, drug in enumerate(drugs):
            if at == listed * 2 // 3:
                note.line("COURSE IN HOSPITAL :")
            in_list = at < listed * 2 // 3
            if not in_list:
                note.put("On the ward")
            parts = [note.put(drug).field("m")]
            for key in ("do", "mo", "f", "du"):
                if rng.random() < _RATES[key]:
                    parts.append(note.put(rng.choice(_VALUES[key])).field(key))
                else:
                    parts.append(f'{key}="nm"')
            if rng.random() < _RATES["r"]:
                note.put("because of")
                parts.append(note.put(rng.choice(w.SYMPTOMS + w.DISEASES)).field("r"))
            else:
                parts.append('r="nm"')
            if rng.random() < 0.5:
                parts += [
                    f'e="{rng.choice(_EVENTS)}"',
                    f't="{rng.choice(_TENSES)}"',
                    f'c="{rng.choice(_CERTAINTY)}"',
                ]
            note.end_line()
            parts.append(f'ln="{"list" if in_list else "narrative"}"')
            lines.append("||".join(parts))
        (notes / f"{number}.txt").write_text(note.text, encoding="utf-8")
        (entries / f"{number}.i2b2.entries").write_text("\n".join(lines) + "\n", encoding="utf-8")
