"""Records of the 2011 format. Scale: 424 patients, 1,581 entities, 1,378 triples, 7 relations."""

from __future__ import annotations

from pathlib import Path
from random import Random

from osler_papers.simulator import words as w
from osler_papers.simulator.note import Note

PATIENTS = 424
FIRST = 5001
_SECOND = {
    "problem": ("condition", "ailment", "episode of {0}", "{1} {0}", "{0} process"),
    "test": ("study", "repeat {0}", "{0} result", "follow up {0}"),
    "treatment": ("regimen", "{0} course", "therapy", "{0} therapy"),
    "person": ("gentleman", "lady", "retired {2}", "young {2}"),
}
_POOL = {
    "problem": w.DISEASES + w.SYMPTOMS,
    "test": w.TESTS,
    "treatment": w.TREATMENTS + w.MEDICATIONS,
}


def write(out: Path, rng: Random, patients: int) -> None:
    folder = out / "coreference_2011"
    for name in ("docs", "chains"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for number in range(FIRST, FIRST + patients):
        note = Note()
        chains: list[str] = []
        for _ in range(rng.choice((1, 1, 1, 1, 1, 2))):
            type = rng.choices(
                ("problem", "test", "treatment", "person"), (0.42, 0.25, 0.25, 0.08)
            )[0]
            chains.append(_chain(type, note, rng))
        (folder / "docs" / f"{number}.txt").write_text(note.text, encoding="utf-8")
        (folder / "chains" / f"{number}.txt.chains").write_text(
            "\n".join(chains) + "\n", encoding="utf-8"
        )


def _chain(type: str, note: Note, rng: Random) -> str:
    base = "patient" if type == "person" else rng.choice(_POOL[type])
    names = [base]
    forms = rng.sample(_SECOND[type], 2)
    for form in forms[: rng.choices((1, 2), (0.6, 0.4))[0]]:
        names.append(form.format(base, rng.choice(w.MODIFIERS), rng.choice(w.OCCUPATIONS)))
    parts = []
    for at, name in enumerate(names):
        note.put(rng.choice(("Seen with", "Later", "Notes speak of", "Again")))
        spot = note.put(f"{'the' if at == 0 else 'this'} {name}")
        parts.append(spot.field("c"))
        note.put(".")
        note.end_line()
    if rng.random() < 0.4:
        spot = note.put("it" if type != "person" else "she")
        parts.append(spot.field("c"))
        note.line("was reviewed .")
    return "||".join([*parts, f't="coref {type}"'])
