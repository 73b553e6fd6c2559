"""Records of the 2012 format. Scale: 310 patients, 127,772 entities, 276,513 triples, 13
relations."""

from __future__ import annotations

from pathlib import Path
from random import Random
from xml.sax.saxutils import quoteattr

from osler_papers.simulator import words as w
from osler_papers.simulator.note import Note, Spot

PATIENTS = 310
FIRST = 7001
_POOLS = {
    "PROBLEM": w.DISEASES + w.SYMPTOMS,
    "TEST": w.TESTS,
    "TREATMENT": w.TREATMENTS + w.MEDICATIONS,
    "OCCURRENCE": w.OCCURRENCES,
    "CLINICAL_DEPT": w.DEPARTMENTS,
    "EVIDENTIAL": w.EVIDENTIALS,
}
_KINDS = (
    ("PROBLEM", 0.34),
    ("TEST", 0.2),
    ("TREATMENT", 0.22),
    ("OCCURRENCE", 0.14),
    ("CLINICAL_DEPT", 0.05),
    ("EVIDENTIAL", 0.05),
)
_LINKS = (
    ("BEFORE", 0.3),
    ("AFTER", 0.1),
    ("OVERLAP", 0.36),
    ("SIMULTANEOUS", 0.08),
    ("DURING", 0.08),
    ("BEGUN_BY", 0.03),
    ("ENDED_BY", 0.03),
    ("BEFORE_OVERLAP", 0.02),
)


def write(out: Path, rng: Random, patients: int) -> None:
    folder = out / "temporal_2012"
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(FIRST, FIRST + patients):
        (folder / f"{number}.xml").write_text(_note(rng), encoding="utf-8")


def _note(rng: Random) -> str:
    note = Note(lead="\n")
    tags: list[str] = []
    names: dict[str, Spot] = {}
    year, month, day = rng.randint(1990, 2012), rng.randint(1, 12), rng.randint(1, 28)
    for at, kind in enumerate(("ADMISSION", "DISCHARGE")):
        note.line(f"{kind.capitalize()} Date :")
        day = min(28, day + at * rng.randint(1, 12))
        spot = note.put(f"{month:02d}/{day:02d}/{year}")
        note.end_line()
        iso = f"{year}-{month:02d}-{day:02d}"
        names[f"S{at}"] = spot
        tags.append(_tag("SECTIME", f"S{at}", spot, type=kind, dvalue=iso))
    note.line("Hospital Course :")
    events = rng.randint(290, 372)
    times = 0
    for at in range(events):
        if at % 8 == 3:
            spot, attributes = _time(note, rng, year, month)
            names[f"T{times}"] = spot
            tags.append(_tag("TIMEX3", f"T{times}", spot, **attributes))
            times += 1
        kind = rng.choices([k for k, _ in _KINDS], [p for _, p in _KINDS])[0]
        phrase = rng.choice(_POOLS[kind])
        if kind == "PROBLEM" and rng.random() < 0.3:
            phrase = f"{rng.choice(w.MODIFIERS)} {phrase}"
        spot = note.put(phrase)
        note.put(rng.choice(("and", "with", "then", ",", "along with", "for")))
        if at % 6 == 5:
            note.end_line()
        names[f"E{at}"] = spot
        negative = kind == "PROBLEM" and rng.random() < 0.3
        modality = rng.choices(
            ("FACTUAL", "POSSIBLE", "PROPOSED", "CONDITIONAL"), (0.9, 0.05, 0.04, 0.01)
        )[0]
        tags.append(
            _tag(
                "EVENT",
                f"E{at}",
                spot,
                modality=modality,
                polarity="NEG" if negative else "POS",
                type=kind,
            )
        )
    tags += _links(names, events, times, rng)
    body = "\n".join(tags)
    return (
        '<?xml version="1.0" encoding="UTF-8" ?>\n<ClinicalNarrativeTemporalAnnotation>\n'
        f"<TEXT><![CDATA[{note.text}]]></TEXT>\n<TAGS>\n{body}\n</TAGS>\n</ClinicalNarrativeTemporalAnnotation>\n"
    )


def _time(note: Note, rng: Random, year: int, month: int) -> tuple[Spot, dict[str, str]]:
    kind = rng.choices(("DATE", "TIME", "DURATION", "FREQUENCY"), (0.55, 0.1, 0.2, 0.15))[0]
    if kind == "DATE":
        day = rng.randint(1, 28)
        return note.put(f"{month:02d}/{day:02d}/{year}"), {
            "type": kind,
            "val": f"{year}-{month:02d}-{day:02d}",
            "mod": "NA",
        }
    if kind == "TIME":
        hour = rng.randint(1, 11)
        return note.put(f"{hour} am"), {
            "type": kind,
            "val": f"{year}-{month:02d}-01T{hour:02d}:00",
            "mod": "APPROX",
        }
    if kind == "DURATION":
        days = rng.randint(2, 20)
        return note.put(f"{days} days"), {"type": kind, "val": f"P{days}D", "mod": "NA"}
    times = rng.randint(2, 6)
    return note.put(f"{times} times a day"), {"type": kind, "val": f"R{times}P1D", "mod": "NA"}


def _links(names: dict[str, Spot], events: int, times: int, rng: Random) -> list[str]:
    links = []
    made: set[tuple[str, str]] = set()
    for at in range(round(events * 1.30)):
        first = rng.randrange(events)
        near = f"E{min(events - 1, max(0, first + rng.choice((-3, -2, -1, 1, 2, 3, 4))))}"
        target = f"T{rng.randrange(times)}" if rng.random() < 0.15 else near
        if rng.random() < 0.08:
            target = rng.choice(("S0", "S1"))
        start = f"E{first}"
        if start == target or (start, target) in made:
            continue
        made.add((start, target))
        kind = rng.choices([k for k, _ in _LINKS], [p for _, p in _LINKS])[0]
        links.append(
            f'<TLINK id="TL{at}" fromID="{start}" fromText={quoteattr(names[start].text)} '
            f'toID="{target}" toText={quoteattr(names[target].text)} type="{kind}" />'
        )
    return links


def _tag(tag: str, id: str, spot: Spot, **attributes: str) -> str:
    more = " ".join(f"{key}={quoteattr(value)}" for key, value in attributes.items())
    return (
        f'<{tag} id="{id}" start="{spot.start}" end="{spot.end}" text={quoteattr(spot.text)} '
        f"{more} />"
    )
