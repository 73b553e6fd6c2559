"""MedQuAD's XML as question-answer pairs."""

from __future__ import annotations

import pytest

from osler import Library
from osler.errors import FormatError
from osler.files.reader import readers, recognise
from osler.files.source import Source
from osler.kinds import Pair, Reject

PAGE = """<?xml version="1.0" encoding="UTF-8"?>
<Document id="0000007" source="OWN" url="https://example.org/page">
<Focus>Sample fever</Focus>
<FocusAnnotations><Category>Disease</Category>
 <Synonyms><Synonym>SF</Synonym><Synonym>Fever of
  samples</Synonym><Synonym>SF</Synonym></Synonyms></FocusAnnotations>
<QAPairs>
 <QAPair pid="1"><Question qid="0000007-1" qtype="information">What is (are) Sample fever ?
 </Question><Answer>Sample fever is a made-up illness.

 - It  passes.
 - It returns.</Answer></QAPair>
 <QAPair pid="2"><Question qid="0000007-2" qtype="treatment">How is it treated ?</Question>
 <Answer></Answer></QAPair>
 <QAPair pid="3"><Question qtype="causes">What causes it ?</Question><Answer>Nothing.</Answer>
 </QAPair>
</QAPairs></Document>
"""


def test_a_page_gives_its_pairs_and_says_what_it_leaves_out(tmp_path):
    path = tmp_path / "0000007.xml"
    path.write_text(PAGE, "utf-8")
    source = Source(path)
    assert recognise(source).name == "medquad"
    first, empty, third = readers.get("medquad")().read(source)
    assert first == Pair(
        id="0000007-1",
        question="What is (are) Sample fever ?",
        answer="Sample fever is a made-up illness.\n- It passes.\n- It returns.",
        metadata={
            "focus": "Sample fever",
            "synonyms": "SF|Fever of samples",
            "type": "information",
            "source": "OWN",
            "url": "https://example.org/page",
        },
    )
    assert empty == Reject("0000007.xml", "record 2", "no answer")
    assert third.id == "0000007-3"


BROKEN = (
    "",
    "<Document><Focus>a</Focus>",
    "<!DOCTYPE a [<!ENTITY b 'c'>]><Document>&b;</Document>",
)


@pytest.mark.parametrize("text", BROKEN)
def test_what_is_broken_is_refused(tmp_path, text):
    path = tmp_path / "a.xml"
    path.write_text(text, "utf-8")
    with pytest.raises(FormatError):
        list(readers.get("medquad")().read(Source(path)))


def test_a_page_without_questions_is_a_reject(tmp_path):
    path = tmp_path / "a.xml"
    path.write_text("<Document id='1'><Focus>a</Focus></Document>", "utf-8")
    (only,) = readers.get("medquad")().read(Source(path))
    assert only.reason == "a page without questions"


def test_a_folder_is_added_with_one_command(tmp_path):
    folder = tmp_path / "MedQuAD" / "1_OWN_QA"
    folder.mkdir(parents=True)
    for number in (7, 8):
        page = PAGE.replace("0000007", f"000000{number}")
        (folder / f"{number}.xml").write_text(page, "utf-8")
    with Library.create(tmp_path / "lib") as library:
        (folder / "9.xml").write_text("<Document>", "utf-8")
        summary = library.add([tmp_path / "MedQuAD"], format="medquad")
        assert len(summary.rejects) == 3  # two empty answers, one broken page
        assert sorted(pair.id for pair in library.pairs()) == [
            "0000007-1", "0000007-3", "0000008-1", "0000008-3",
        ]  # fmt: skip
