"""Records of the 2014 format. Scale: 119 patients, 6,984 entities, 24,553 triples, 11 relations."""

from __future__ import annotations

from pathlib import Path
from random import Random
from xml.sax.saxutils import quoteattr

from osler_papers.simulator.note import Note, Spot

PATIENTS = 119
FIRST = 9001
TIMES = ("before DCT", "during DCT", "after DCT")
_FACTORS = {
    "DIABETES": {"mention": "diabetes", "A1C": "A1c of {v}", "glucose": "glucose {g}"},
    "CAD": {
        "mention": "coronary disease",
        "event": "myocardial infarction",
        "test": "abnormal stress test",
        "symptom": "exertional angina",
    },
    "HYPERTENSION": {"mention": "high blood pressure", "high bp": "pressure of {b}/95"},
    "HYPERLIPIDEMIA": {
        "mention": "hyperlipidemia",
        "high chol.": "cholesterol {c}",
        "high LDL": "LDL of {l}",
    },
    "OBESE": {"mention": "obese", "BMI": "BMI {m}", "waist circumference": "waist of {w} inches"},
}
_CLASSES = {
    "aspirin": "aspirin",
    "lisinopril": "ACE inhibitor",
    "enalapril": "ACE inhibitor",
    "metoprolol": "beta blocker",
    "atenolol": "beta blocker",
    "simvastatin": "statin",
    "atorvastatin": "statin",
    "metformin": "metformin",
    "glipizide": "sulfonylureas",
    "glyburide": "sulfonylureas",
    "insulin": "insulin",
    "furosemide": "diuretic",
    "hydrochlorothiazide": "diuretic",
    "losartan": "ARB",
    "valsartan": "ARB",
    "amlodipine": "calcium channel blocker",
    "diltiazem": "calcium channel blocker",
    "clopidogrel": "thienopyridine",
    "nitroglycerin": "nitrate",
    "isosorbide": "nitrate",
    "ezetimibe": "ezetimibe",
    "niacin": "niacin",
    "gemfibrozil": "fibrate",
    "pioglitazone": "thiazolidinedione",
}


def write(out: Path, rng: Random, patients: int) -> None:
    folder = out / "risk_2014"
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(FIRST, FIRST + patients):
        factors = rng.sample(sorted(_FACTORS), rng.randint(3, 5))
        drugs = rng.sample(sorted(_CLASSES), rng.randint(5, 8))
        smoker = rng.choice(("current", "past", "ever", "never", "unknown"))
        family = rng.choice(("present", "not present"))
        year = rng.randint(2060, 2110)
        for visit in range(1, rng.choice((2, 2, 3, 3)) + 1):
            date = f"{year + visit}-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}"
            text = _visit(date, factors, drugs, smoker, family, rng)
            (folder / f"{number}-{visit:02d}.xml").write_text(text, encoding="utf-8")


def _visit(
    date: str, factors: list[str], drugs: list[str], smoker: str, family: str, rng: Random
) -> str:
    note = Note(lead="\n")
    note.line(f"Record date: {date}")
    tags: list[str] = []

    def tag(name: str, spot: Spot | None, **attributes: str) -> None:
        more = " ".join(f"{key}={quoteattr(value)}" for key, value in attributes.items())
        id = f"DOC{len(tags)}"
        if spot is None:
            tags.append(f'<{name} id="{id}" {more}/>')
            return
        inner = (
            f'<{name} id="{id}-1" start="{spot.start}" end="{spot.end}" '
            f'text={quoteattr(spot.text)} {more} comment=""/>'
        )
        tags.append(f'<{name} id="{id}" {more}>{inner}</{name}>')

    for factor in factors:
        shown = [i for i in _FACTORS[factor] if i == "mention" or rng.random() < 0.5]
        for indicator in shown:
            note.put("Assessment notes")
            spot = note.put(
                _FACTORS[factor][indicator].format(
                    v=f"{rng.uniform(6.6, 10.5):.1f}",
                    g=rng.randint(130, 330),
                    b=rng.randint(145, 199),
                    c=rng.randint(205, 320),
                    l=rng.randint(105, 210),
                    m=rng.randint(30, 48),
                    w=rng.randint(40, 58),
                )
            )
            note.end_line()
            always = indicator == "mention"
            for time in TIMES if always else rng.sample(TIMES, rng.choice((1, 1, 2))):
                tag(
                    factor,
                    spot if not always and time == TIMES[0] else None,
                    time=time,
                    indicator=indicator,
                )
    for drug in drugs:
        if rng.random() < 0.12:
            continue
        note.put("Continues")
        spot = note.put(drug)
        note.end_line()
        for time in TIMES if rng.random() < 0.85 else TIMES[2:]:
            tag("MEDICATION", spot, time=time, type1=_CLASSES[drug], type2="")
    tag("SMOKER", None, status=smoker)
    tag("FAMILY_HIST", None, indicator=family)
    return (
        f'<?xml version="1.0" encoding="UTF-8" '
        f"?>\n<root>\n<TEXT><![CDATA[{note.text}]]></TEXT>\n<TAGS>\n"
        + "\n".join(tags)
        + "\n</TAGS>\n</root>\n"
    )
