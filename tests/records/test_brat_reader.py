# ruff: noqa: E501 - lines of the formats themselves
"""brat standoff: spans, events, relations, attributes, equivalences; offsets checked against the text."""

from __future__ import annotations

from pathlib import Path

from osler.files.reader import recognise
from osler.files.source import Source
from osler.kinds import Entity, Reject, Triple

TEXT = "A man had fever and a dry cough."
ANN = """T1\tSign_symptom 10 15\tfever
T2\tSign_symptom 26 31\tcough
T3\tDetailed_description 22 25\tdry
T4\tSign_symptom 10 15;26 31\tfever cough
T5\tSign_symptom 10 99\tfever
T6\tSign_symptom 0 5\tfever
E1\tSign_symptom:T2 Theme:T1
R1\tMODIFY Arg1:T3 Arg2:E1
R2\tMODIFY Arg1:T3 Arg2:T77
A1\tNegation T1
A2\tCertainty T2 High
*\tOVERLAP T1 T2
#1\tAnnotatorNotes T1\tsure
?\tx
"""


def test_brat(tmp_path: Path) -> None:
    (tmp_path / "12.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "12.ann").write_text(ANN, encoding="utf-8")
    (tmp_path / "13.txt").write_text("alone", encoding="utf-8")
    source = Source(tmp_path)
    items = list(recognise(source).read(source))
    name = {i.id: i.name for i in items if isinstance(i, Entity)}
    triples = {(name[t.head], t.relation, name[t.tail]) for t in items if isinstance(t, Triple)}
    assert ("P12", "mentions", "fever") in triples
    assert ("P12", "mentions", "fever cough") in triples
    assert ("cough", "theme", "fever") in triples
    assert ("dry", "modify", "cough") in triples
    assert ("fever", "overlap", "cough") in triples
    assert ("fever", "has negation", "negation") in triples
    assert ("cough", "has certainty", "High") in triples
    reasons = sorted(i.reason for i in items if isinstance(i, Reject))
    assert reasons == [
        "a note without its annotation",
        "an argument that is not annotated",
        "not an annotation that brat has",
        "offsets past the text",
        "offsets that cover other words",
    ]


def test_a_line_that_begins_with_a_tab_is_no_annotation(tmp_path: Path) -> None:
    """Found by fuzzing: an empty id was taken for any kind of annotation."""
    (tmp_path / "12.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "12.ann").write_text("\tfever\n" + ANN.split("\n")[0] + "\n", encoding="utf-8")
    source = Source(tmp_path)
    items = list(recognise(source).read(source))
    assert [(i.place, i.reason) for i in items if isinstance(i, Reject)] == [
        ("line 1", "not an annotation that brat has")
    ]
    assert "fever" in [i.name for i in items if isinstance(i, Entity)]


def test_real_reports(data_dir: Path) -> None:
    source = Source(data_dir / "maccrobat2020" / "brat")
    items = list(recognise(source).read(source))
    assert sum(isinstance(i, Entity) and i.type == "patient" for i in items) == 150
    assert not [i for i in items if isinstance(i, Reject)]
