"""A collection that says what its things are called is asked under those names too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from osler import Library
from osler.kinds import Pair
from osler.match.own_names import asides, names_in, terminology_of
from osler.match.pair_index import PairIndex
from osler.match.pool import PairPool
from osler.match.texts import Texts


def told(id: str, focus: str, synonyms: str = "") -> Pair:
    metadata = {"focus": focus, "synonyms": synonyms}
    return Pair(id=id, question=f"How is {focus} treated?", answer=f"By {id}.", metadata=metadata)


def test_each_focus_has_the_names_that_its_pairs_tell() -> None:
    pairs = [told("1", "Wobbles", "Testi's ataxia| WBL |"), told("2", "Wobbles", "WBL|Feet, odd")]
    assert names_in(pairs) == {"Wobbles": ["Testi's ataxia", "WBL", "Feet, odd"]}
    more = names_in([told("3", "Wobbles", "Newest"), told("4", "Plain")], {"Wobbles": ["WBL"]})
    assert more == {"Wobbles": ["WBL", "Newest"]}
    assert names_in([Pair(id="5", question="What?", answer="That.")]) == {}


@pytest.mark.parametrize(
    ("focus", "names"),
    [
        ("Gout", []),
        ("Tuberculosis (TB)", ["Tuberculosis", "TB"]),
        ("Parasites - Lice - Head Lice", ["Head Lice"]),
        (
            "Parasites - Ascariasis (also known as Roundworm Infection)",
            ["Ascariasis", "Roundworm Infection"],
        ),
    ],
)
def test_a_heading_may_hold_names(focus: str, names: list[str]) -> None:
    assert asides(focus) == names


def test_what_many_things_are_called_is_no_name() -> None:
    names = {f"Ataxia type {n}": ["hereditary ataxia", f"SCA{n}"] for n in "abc"}
    known = terminology_of(names)
    assert known is not None
    assert known.link("hereditary ataxia").spans == ()
    (span,) = known.link("SCAb").spans
    assert known.graph.name(known.graph.id(span[2])) == "Ataxia type b"
    two = terminology_of({"One": ["shared wobbles"], "Two": ["shared wobbles"]})
    assert two is not None
    assert len(two.link("shared wobbles").entities) == 2
    assert terminology_of({}) is None


def test_one_thing_written_in_two_ways_is_one() -> None:
    known = terminology_of({"Menkes Disease": ["kinky hair disease"], "Menkes disease": ["MNK"]})
    assert known is not None
    assert len(known) == 1
    assert known.link("MNK").entities == known.link("kinky hair disease").entities


def test_a_pair_is_found_under_a_name_that_only_the_collection_tells(tmp_path: Path) -> None:
    pairs = [told("w", "Dermal wobbles", "Goltz-Testi syndrome")]
    pairs += [told(f"p{n}", f"Syndrome of gene {n}") for n in range(20)]
    bare = [Pair(id=one.id, question=one.question, answer=one.answer) for one in pairs]
    asked = "What do they do about Goltz-Testi syndrome?"
    assert PairPool.of(pairs, Texts()).candidates(asked, most=1)[0].id == "w"
    assert PairPool.of(bare, Texts()).candidates(asked, most=1)[0].id != "w"
    # The names stay with the index.
    place = tmp_path / "pairs.safetensors"
    PairIndex.empty().grown(pairs, Texts()).save(place)
    kept = PairIndex.load(place)
    assert kept is not None
    assert kept.names == {"Dermal wobbles": ["Goltz-Testi syndrome"]}


def test_a_library_asks_under_the_names_of_its_pairs(tmp_path: Path) -> None:
    place = tmp_path / "pairs.jsonl"
    rows = [
        {
            "id": "w",
            "question": "How is dermal wobbling treated?",
            "answer": "Dermal wobbling is treated with shoes.",
            "focus": "Dermal wobbling",
            "synonyms": ["Goltz-Testi syndrome", "DWB"],
        },
        {
            "id": "g",
            "question": "How is Gorlin syndrome treated?",
            "answer": "Gorlin syndrome is treated by surgery.",
            "focus": "Gorlin syndrome",
        },
    ]
    place.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    with Library.create(tmp_path / "library") as library:
        library.add([place])
        metadata = {pair.id: pair.metadata for pair in library.pairs()}
        assert metadata["w"]["synonyms"] == "Goltz-Testi syndrome|DWB"
        ranking = library.match("How is Goltz-Testi syndrome treated?")
    assert ranking.hits[0].id == "w"
    # Named under either name: nothing of the question is told as lacking.
    assert not any("does not name" in note for note in ranking.notes)
