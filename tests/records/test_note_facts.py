# ruff: noqa: E501 - lines of the formats themselves
"""Annotated notes as facts: whether, whose and when; one bad file never stops a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from osler import Library
from osler.files.reader import recognise
from osler.files.source import Source
from osler.kinds import Fact, Reject


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def read(path: Path, **options: Any) -> tuple[list[Fact], list[Reject]]:
    source = Source(path)
    items = list(recognise(source, **options).read(source))
    facts = [i for i in items if isinstance(i, Fact) and i.kind != "patient"]
    return facts, [i for i in items if isinstance(i, Reject)]


NOTE = "He has gout .\nNo fever was seen .\nIt may be lupus .\nChest pain on exertion .\nReturn if bleeding occurs .\nMother had asthma .\n"


def test_assertions_of_2010(tmp_path):
    said = [
        ("gout", "1:2 1:2", "present"),
        ("fever", "2:1 2:1", "absent"),
        ("lupus", "3:3 3:3", "possible"),
        ("chest pain", "4:0 4:1", "conditional"),
        ("bleeding", "5:2 5:2", "hypothetical"),
        ("asthma", "6:2 6:2", "associated_with_someone_else"),
    ]
    folder = write(
        tmp_path,
        {
            "txt/7.txt": NOTE,
            "concept/7.con": "".join(f'c="{n}" {p}||t="problem"\n' for n, p, _ in said),
            "ast/7.ast": "".join(f'c="{n}" {p}||t="problem"||a="{a}"\n' for n, p, a in said),
        },
    )
    facts, rejects = read(folder)
    assert not rejects
    found = {f.name: (f.certainty, f.role, f.true) for f in facts}
    assert len(facts) == len(found) == 6
    assert found == {
        "gout": ("confirmed", "own", True),
        "fever": ("absent", "own", False),
        "lupus": ("provisional", "own", True),
        "chest pain": ("conditional", "own", False),
        "bleeding": ("conditional", "own", False),
        "asthma": ("confirmed", "other", False),
    }
    fever = next(f for f in facts if f.name == "fever")
    assert fever.source.text == "No fever was seen ."
    assert fever.source.text[fever.source.start : fever.source.end] == "fever"


TEMPORAL = """<ClinicalNarrativeTemporalAnnotation><TEXT>{text}</TEXT><TAGS>
<EVENT id="E0" start="1" end="6" text="fever" modality="FACTUAL" polarity="NEG" type="PROBLEM"/>
<EVENT id="E1" start="7" end="10" text="MRI" modality="PROPOSED" polarity="POS" type="TEST"/>
<EVENT id="E2" start="11" end="15" text="gout" modality="POSSIBLE" polarity="POS" type="PROBLEM"/>
</TAGS></ClinicalNarrativeTemporalAnnotation>"""


def test_polarity_and_modality_of_2012(tmp_path):
    path = tmp_path / "8.xml"
    path.write_text(TEMPORAL.format(text="fever MRI gout"), "utf-8")
    facts, rejects = read(path)
    assert not rejects
    assert {f.name: (f.kind, f.certainty, f.status, f.true) for f in facts} == {
        "fever": ("condition", "absent", "unknown", False),
        "MRI": ("observation", "confirmed", "planned", False),
        "gout": ("condition", "provisional", "unknown", True),
    }


def test_a_bare_ampersand_is_read_and_a_broken_file_passed_by(tmp_path):
    folder = write(
        tmp_path / "temporal",
        {
            "1.xml": TEMPORAL.format(text="fever MRI gout & nausea"),
            "2.xml": "<ClinicalNarrativeTemporalAnnotation><TEXT>broken",
            "3.xml": TEMPORAL.format(text="fever MRI gout"),
        },
    )
    facts, rejects = read(folder)
    assert [(r.file, r.place) for r in rejects] == [("2.xml", "the file")]
    assert len({f.patient for f in facts}) == 2
    assert len(facts) == 6


def test_files_of_one_name_in_two_folders_are_two_people(tmp_path):
    folder = write(
        tmp_path / "case",
        {
            "w1/1.txt": "fever",
            "w1/1.ann": "T1\tSign_symptom 0 5\tfever\n",
            "w2/1.txt": "cough",
            "w2/1.ann": "T1\tSign_symptom 0 5\tcough\n",
            "w2/2.txt": "gout",
            "w2/2.ann": "T1\tDisease_disorder 0 4\tgout\n",
        },
    )
    facts, rejects = read(folder)
    assert not rejects
    assert {f.name: f.patient for f in facts} == {
        "fever": "record:brat/w1%2F1",
        "cough": "record:brat/w2%2F1",
        "gout": "record:brat/2",
    }


def test_brat_knows_denials_from_attributes_and_from_the_words(tmp_path):
    text = "No fever. Cough. Gout?"
    folder = write(
        tmp_path / "case",
        {
            "1.txt": text,
            "1.ann": "T1\tSign_symptom 3 8\tfever\nT2\tSign_symptom 10 15\tCough\nT3\tDisease_disorder 17 21\tGout\nA1\tNegation T2\nA2\tSpeculation T3\n",
        },
    )
    facts, _ = read(folder)
    assert {f.name: f.certainty for f in facts} == {
        "fever": "absent",
        "Cough": "absent",
        "Gout": "provisional",
    }


def test_2009_gold_entries_and_three_bars(tmp_path):
    folder = write(
        tmp_path / "med",
        {
            "11.txt": "aspirin 81 mg daily for pain\nstop warfarin\n",
            "11_gold.entries": 'm="aspirin" 1:0 1:0|||do="81 mg" 1:1 1:2|||f="daily" 1:3 1:3|||r="pain" 1:5 1:5|||t="present"|||ln="list"\nm="warfarin" 2:1 2:1||do="nm"||e="stop"||ln="list"\n',
        },
    )
    facts, rejects = read(folder)
    assert not rejects
    assert [(f.name, f.status, f.dose, f.reason) for f in facts] == [
        ("aspirin", "active", "81 mg, daily", "pain"),
        ("warfarin", "stopped", "", ""),
    ]


def test_judgements_of_2008_and_2006(tmp_path):
    folder = write(
        tmp_path / "obesity",
        {
            "a.xml": '<diseaseset><diseases source="textual"><disease name="Asthma"><doc id="1" judgment="Y"/><doc id="2" judgment="N"/><doc id="3" judgment="Q"/><doc id="4" judgment="U"/></disease></diseases></diseaseset>'
        },
    )
    facts, _ = read(folder)
    assert [f.certainty for f in facts] == ["confirmed", "absent", "provisional"]
    path = tmp_path / "smoke.xml"
    path.write_text(
        '<ROOT><RECORD ID="7"><SMOKING STATUS="PAST SMOKER"/><TEXT>Quit smoking.</TEXT></RECORD></ROOT>'
    )
    (fact,), _ = read(path)
    assert (fact.kind, fact.name, fact.value) == ("observation", "smoking status", "past smoker")
    assert fact.source.text == "Quit smoking."


def test_risk_factors_of_2014(tmp_path):
    path = write(
        tmp_path / "risk",
        {
            "220-01.xml": '<root><TEXT>Has CAD.</TEXT><TAGS><CAD id="D0" time="before DCT" indicator="mention"/><FAMILY_HIST id="D1" indicator="present"/><MEDICATION id="D2" time="after DCT" type1="aspirin"/><SMOKER id="D3" status="never"/></TAGS></root>'
        },
    )
    facts, rejects = read(path)
    assert not rejects
    assert [(f.kind, f.name, f.role, f.status) for f in facts] == [
        ("condition", "coronary artery disease", "own", "unknown"),
        ("condition", "coronary artery disease", "family member", "unknown"),
        ("medication", "aspirin", "own", "active"),
        ("observation", "smoking status", "own", "completed"),
    ]


def test_the_sum_holds_for_annotated_notes(tmp_path):
    from osler.store.account import gap

    folder = write(
        tmp_path / "case", {"1.txt": "fever", "1.ann": "T1\tSign_symptom 0 5\tfever\nbad\n"}
    )
    with Library.create(tmp_path / "library") as library:
        summary = library.add([folder])
        assert gap(summary.counts) == 0
        assert summary.counts["rejected"] == 1
        assert summary.counts["records"] == 2
        assert library.verify() == []
