"""Records of the 2010 format. Scale: 426 patients, 20,031 entities, 30,401 triples, 11
relations."""

from __future__ import annotations

from pathlib import Path
from random import Random

from osler_papers.simulator import words as w
from osler_papers.simulator.note import Note, Spot

PATIENTS = 426
FIRST = 3001
_ASSERTIONS = (
    ("present", 0.68),
    ("absent", 0.2),
    ("possible", 0.06),
    ("hypothetical", 0.03),
    ("conditional", 0.015),
    ("associated_with_someone_else", 0.015),
)
_LINKS = {
    "TrAP": ("treatment", "was given against", "problem"),
    "TrIP": ("treatment", "brought relief of", "problem"),
    "TrWP": ("treatment", "did not help and left a worse", "problem"),
    "TrCP": ("treatment", "was followed by", "problem"),
    "TrNAP": ("treatment", "was held in view of", "problem"),
    "TeRP": ("test", "was positive for", "problem"),
    "TeCP": ("test", "was ordered in work up of", "problem"),
    "PIP": ("problem", "together with", "problem"),
}
_WEIGHTS = (
    ("TeRP", 0.3),
    ("TrAP", 0.26),
    ("PIP", 0.2),
    ("TeCP", 0.1),
    ("TrCP", 0.05),
    ("TrIP", 0.04),
    ("TrNAP", 0.03),
    ("TrWP", 0.02),
)


def write(out: Path, rng: Random, patients: int) -> None:
    folder = out / "relations_2010"
    for name in ("txt", "concept", "ast", "rel"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for number in range(FIRST, FIRST + patients):
        note = Note()
        files: dict[str, list[str]] = {"con": [], "ast": [], "rel": []}
        pool = {
            "problem": [_modified(p, rng) for p in rng.sample(w.DISEASES + w.SYMPTOMS, 22)],
            "test": rng.sample(w.TESTS, 15),
            "treatment": rng.sample(w.TREATMENTS + w.MEDICATIONS, 15),
        }
        note.line(f"RECORD {number}")

        def mention(
            type: str,
            note: Note = note,
            files: dict[str, list[str]] = files,
            pool: dict[str, list[str]] = pool,
        ) -> Spot:
            spot = note.put(
                f"{rng.choice(('', '', '', 'his', 'a', 'the'))} {rng.choice(pool[type])}".strip()
            )
            files["con"].append(f'{spot.field("c")}||t="{type}"')
            if type == "problem":
                assertion = rng.choices([a for a, _ in _ASSERTIONS], [p for _, p in _ASSERTIONS])[0]
                files["ast"].append(f'{spot.field("c")}||t="problem"||a="{assertion}"')
            return spot

        for _ in range(rng.randint(10, 13)):
            code = rng.choices([c for c, _ in _WEIGHTS], [p for _, p in _WEIGHTS])[0]
            left, between, right = _LINKS[code]
            first = mention(left)
            note.put(between)
            second = mention(right)
            note.put(".")
            note.end_line()
            if first.text.split()[-2:] != second.text.split()[-2:]:
                files["rel"].append(f'{first.field("c")}||r="{code}"||{second.field("c")}')
        for type, many in (("problem", 20), ("test", 20), ("treatment", 20)):
            for _ in range(many):
                mention(type)
                note.end_line()
        (folder / "txt" / f"{number}.txt").write_text(note.text, encoding="utf-8")
        for suffix, place in (("con", "concept"), ("ast", "ast"), ("rel", "rel")):
            (folder / place / f"{number}.{suffix}").write_text(
                "\n".join(files[suffix]) + "\n", encoding="utf-8"
            )


def _modified(problem: str, rng: Random) -> str:
    return f"{rng.choice(w.MODIFIERS)} {problem}" if rng.random() < 0.45 else problem
