from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from osler.text.sentences import sentences


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    "whole",
    [
        "We grew E. coli and S. aureus in broth.",
        "The 'S. Aureus' group was small.",
        "Fever, e.g. above 38.5 degrees, was common vs. controls.",
        "As Fig. 2 and Eq. 3 show, p was 0.05.",
        "J. R. Roe et al. 2004 found none.",
        "METHODS: Two groups were compared.",
        "Treated by Dr. Roe (see vol. 12, pp. 3-9).",
        "Staphylococcus spp. were found in no. 5.",
        "It was given i.v. twice (i.e. daily).",
        "Was it so (was it?) at all.",
        "An ellipsis ... goes on.",
    ],
)
def test_one_sentence(whole: str) -> None:
    assert cut(whole) == [whole]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One ended. Two began.", ["One ended.", "Two began."]),
        ("Is it so? Yes! Done.", ["Is it so?", "Yes!", "Done."]),
        ("We gave 5 mg. The rest had 10.", ["We gave 5 mg.", "The rest had 10."]),
        ("The year was 2004. In 2005 it rose.", ["The year was 2004.", "In 2005 it rose."]),
        ("He took vitamin D. Serum rose.", ["He took vitamin D.", "Serum rose."]),
        ("Made in the U.S. The rest not.", ["Made in the U.S.", "The rest not."]),
        ("It was Hurler's. Important too.", ["It was Hurler's.", "Important too."]),
        ("Not Crohn\u2019s. Serum rose.", ["Not Crohn\u2019s.", "Serum rose."]),
        ("(It ended.) Then on.", ["(It ended.)", "Then on."]),
        ("It fell. mRNA rose. pH too.", ["It fell.", "mRNA rose.", "pH too."]),
        ("A line\nand another\r\n\r\nend", ["A line", "and another", "end"]),
        ("糖尿病是什么？它是一种病。好！", ["糖尿病是什么？", "它是一种病。", "好！"]),
        ("他说：“是的。”然后走了。", ["他说：“是的。”", "然后走了。"]),
        ("  padded.   Twice.  ", ["padded.", "Twice."]),
        ("", []),
        (" \n ", []),
        ("...", ["..."]),
    ],
)
def test_several(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


@given(
    st.text(
        alphabet=st.one_of(
            st.sampled_from("aB. !?\n\r。！？…”)'e.g0\u00a0\u3000\u2028糖"),
            st.characters(codec="utf-8"),
        ),
        max_size=80,
    )
)
def test_nothing_is_lost_and_nothing_overlaps(text: str) -> None:
    spans = sentences(text)
    end = 0
    for start, stop in spans:
        assert end <= start < stop <= len(text)
        assert text[end:start].strip() == ""
        assert text[start:stop] == text[start:stop].strip() != ""
        end = stop
    assert text[end:].strip() == ""


@pytest.mark.parametrize(
    "text",
    ["." * 400_000, "a." * 200_000, "A. " * 100_000, "(" * 400_000 + ".", ".)" * 200_000],
)
def test_hostile_texts_take_no_long_time(text: str) -> None:
    # Quadratic work would take hours here, not a moment.
    assert sentences(text)


def _rdoc() -> Path:
    given = os.environ.get("OSLER_DATA")
    folder = Path(given) if given else Path(__file__).parents[3] / "shared" / "data"
    path = folder / "rdoc" / "train.jsonl.gz"
    if not path.is_file():
        pytest.skip("the RDoC set is not here (set OSLER_DATA)")
    return path


def test_people_cut_the_same_sentences() -> None:
    """Sentences that annotators marked in abstracts are sentences of ours."""
    total = same = 0
    with gzip.open(_rdoc(), "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            ours = set(cut(row["abstract"]))
            total += len(row["relevant_sentences"])
            same += sum(sentence.strip() in ours for sentence in row["relevant_sentences"])
    assert total == 671
    assert same / total > 0.97
