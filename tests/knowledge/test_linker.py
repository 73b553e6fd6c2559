"""The linker: what texts say in other words than the terminology, and what they do not say."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from osler.errors import DamageError
from osler.kinds import Entity
from osler.knowledge.graph import Graph
from osler.knowledge.linker import Linker

ENTITIES = [
    Entity(id="MESH:D1", name="Breast Neoplasms", type="Disease", places=("C04.588.180",),
           synonyms=("Neoplasms, Breast",)),
    Entity(id="MESH:D2", name="Ovarian Neoplasms", type="Disease", places=("C04.588.322",)),
    Entity(id="MESH:D3", name="Neoplasms", type="Disease", places=("C04",)),
    Entity(id="MESH:D4", name="Diabetes Mellitus, Type 2", type="Disease", places=("C18.452",),
           synonyms=("Type 2 Diabetes",)),
    Entity(id="MESH:D5", name="Acquired Immunodeficiency Syndrome", type="Disease", places=("C01",),
           synonyms=("AIDS",)),
    Entity(id="MESH:D6", name="Alzheimer Disease", type="Disease", places=("C10", "F03.615"),
           synonyms=("Alzheimer's Disease",)),
    Entity(id="MESH:D7", name="Crohn Disease", type="Disease", places=("C06",)),
    Entity(id="MESH:D8", name="Interferon-alpha", type="Chemical or drug", places=("D12",)),
    Entity(id="MESH:D9", name="Edema", type="Disease", places=("C23",)),
    Entity(id="MESH:D10", name="Disease", type="Disease", places=("C23.550",)),
    Entity(id="MESH:D11", name="Cold Temperature", places=("G16",), synonyms=("Cold",)),
    Entity(id="MESH:D12", name="Common Cold", type="Disease", places=("C02",), synonyms=("Cold",)),
    Entity(id="MESH:D13", name="Ataxia Telangiectasia", type="Disease", places=("C10.597",)),
    Entity(id="MESH:D14", name="Glucosephosphate Dehydrogenase Deficiency", type="Disease",
           synonyms=("Glucose-6-Phosphate Dehydrogenase Deficiency",), places=("C16",)),
    Entity(id="MESH:D15", name="Neoplasm Metastasis", type="Disease", synonyms=("Metastasis",),
           places=("C23.551",)),
    Entity(id="MESH:D16", name="Hemophilia A", type="Disease", places=("C15.1",)),
    Entity(id="MESH:D17", name="Hemophilia B", type="Disease", places=("C15.2",)),
    Entity(id="MESH:D18", name="Kidney Diseases", type="Disease", places=("C12",)),
    Entity(id="MESH:D19", name="Computed Tomography", synonyms=("CAT",), places=("E01",)),
    Entity(id="MESH:D20", name="Cats", places=("B01",), synonyms=("Cat",), type="Organism"),
    Entity(id="MONDO:1", name="mammary cancer", type="Disease", xrefs=("MESH:D1",)),
    Entity(id="HP:1", name="Wheezing", type="Phenotype"),
    Entity(id="疾病:糖尿病", name="糖尿病", type="疾病"),
    Entity(id="疾病:2型糖尿病", name="2型糖尿病", type="疾病"),
    Entity(id="疾病:高血压", name="高血压", type="疾病"),
    Entity(id="药品:胰", name="胰", type="药品"),
]  # fmt: skip


@pytest.fixture(scope="module")
def linker() -> Linker:
    return Linker.build(ENTITIES)


def found(linker: Linker, text: str) -> list[tuple[str, str]]:
    return [(mention.text, mention.entity) for mention in linker.link(text)]


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("breast neoplasms", "MESH:D1"),
        ("BREAST NEOPLASM", "MESH:D1"),
        ("neoplasm of", "MESH:D3"),
        ("breast cancer", "MESH:D1"),
        ("breast tumours", "MESH:D1"),
        ("mammary cancers", "MESH:D1"),
        ("type 2 diabetes mellitus", "MESH:D4"),
        ("type-2 diabetes", "MESH:D4"),
        ("diabetes mellitus, type 2", "MESH:D4"),
        ("Alzheimer's disease", "MESH:D6"),
        ("Alzheimer’s disease", "MESH:D6"),
        ("Alzheimer disease", "MESH:D6"),
        ("Crohn's disease", "MESH:D7"),
        ("interferon-α", "MESH:D8"),
        ("interferon alpha", "MESH:D8"),
        ("oedema", "MESH:D9"),
        ("haemophilia A", "MESH:D16"),
        ("metastases", "MESH:D15"),
        ("renal disease", "MESH:D18"),
        ("disorders of the kidney", ""),
        ("ataxia-telangiectasia", "MESH:D13"),
        ("ataxia  \n telangiectasia", "MESH:D13"),
        ("ataxia. Telangiectasia", ""),
        ("AIDS", "MESH:D5"),
        ("the patient aids", ""),
        ("a CAT scan", "MESH:D19"),
        ("a cat", "MESH:D20"),
        ("disease", ""),
        ("糖尿病", "疾病:糖尿病"),
        ("2型糖尿病患者", "疾病:2型糖尿病"),
        ("胰", ""),
    ],
)
def test_names_in_other_words(linker: Linker, text: str, id: str) -> None:
    got = [entity for mention in linker.link(text) for entity, _ in mention.entities]
    assert (id in got) if id else not got


def test_places_are_exact(linker: Linker) -> None:
    text = "A study of “breast  cancer” (n = 12) and of 2型糖尿病 in Crohn’s disease."
    for mention in linker.link(text):
        assert text[mention.start : mention.end] == mention.text
    assert [m.text for m in linker.link(text)] == ["breast  cancer", "2型糖尿病", "Crohn’s disease"]


def test_longest_match(linker: Linker) -> None:
    assert found(linker, "breast neoplasms") == [("breast neoplasms", "MESH:D1")]


def test_ambiguity_is_kept_and_shared(linker: Linker) -> None:
    (mention,) = linker.link("a cold")
    assert [id for id, _ in mention.entities] == ["MESH:D11", "MESH:D12"]
    assert [score for _, score in mention.entities] == [0.475, 0.475]


def test_xrefs_join(linker: Linker) -> None:
    (mention,) = linker.link("mammary cancer")
    assert [id for id, _ in mention.entities] == ["MONDO:1", "MESH:D1"]
    alone = Linker.build(ENTITIES, join=False)
    assert [id for id, _ in alone.link("mammary cancer")[0].entities] == ["MONDO:1"]


def test_coordination_shares_the_head(linker: Linker) -> None:
    text = "breast and ovarian cancer"
    assert found(linker, text) == [(text, "MESH:D1"), ("ovarian cancer", "MESH:D2")]
    assert {id for _, id in found(linker, "breast/ovarian cancer")} == {"MESH:D1", "MESH:D2"}
    assert {id for _, id in found(linker, "hemophilia A and B")} == {"MESH:D16", "MESH:D17"}
    # Another kind of cancer between: the head is still shared.
    assert "MESH:D1" in {id for _, id in found(linker, "breast or splenic neoplasms")}
    assert {id for _, id in found(linker, "a breast and a cancer")} == {"MESH:D3"}


def test_defined_abbreviations(linker: Linker) -> None:
    text = "Ataxia telangiectasia (AT) is rare. AT patients were seen at 1 place."
    assert found(linker, text) == [
        ("Ataxia telangiectasia", "MESH:D13"),
        ("AT", "MESH:D13"),
        ("AT", "MESH:D13"),
    ]
    assert found(linker, "AT patients") == []


def test_abbreviation_inside_a_name(linker: Linker) -> None:
    text = "Glucose-6-phosphate dehydrogenase (G6PD) deficiency. G6PD deficiency is common."
    assert found(linker, text) == [
        ("Glucose-6-phosphate dehydrogenase (G6PD) deficiency", "MESH:D14"),
        ("G6PD deficiency", "MESH:D14"),
    ]


def test_defined_as_something_else_is_not_the_acronym(linker: Linker) -> None:
    text = "We used an automated insulin dosing system (AIDS). AIDS was safe."
    assert found(linker, text) == []


def test_negated(linker: Linker) -> None:
    mentions = linker.link("No evidence of metastasis or edema, but Alzheimer disease.")
    assert [(m.text, m.negated) for m in mentions] == [
        ("metastasis", True),
        ("edema", True),
        ("Alzheimer disease", False),
    ]
    mentions = linker.link("否认高血压、糖尿病。有高血压")
    assert [m.negated for m in mentions] == [True, True, False]


def test_within(linker: Linker) -> None:
    text = "Alzheimer disease, interferon-alpha, wheezing, breast cancer"
    assert {id for _, id in found(linker.within(branches=("F03",)), text)} == {"MESH:D6"}
    assert {id for _, id in found(linker.within(types=("Phenotype",)), text)} == {"HP:1"}
    limited = linker.within(branches=("C",), terminologies=("MESH",))
    assert {id for _, id in found(limited, text)} == {"MESH:D6", "MESH:D1"}


def test_longest_match_is_the_longest_that_is_allowed(linker: Linker) -> None:
    only = linker.within(branches=("C04",), minimum=0.1)
    assert found(only, "breast neoplasms") == [("breast neoplasms", "MESH:D1")]
    others = linker.within(types=("疾病",))
    assert found(others, "2型糖尿病") == [("2型糖尿病", "疾病:2型糖尿病")]


def test_saved_and_loaded(linker: Linker, tmp_path: Path) -> None:
    linker.save(tmp_path / "linker")
    back = Linker.load(tmp_path / "linker")
    assert back.version == linker.version
    text = "No breast and ovarian cancer; AIDS; 2型糖尿病; ataxia telangiectasia (AT), AT."
    assert back.link(text) == linker.link(text)


def test_damaged_linker_is_named(linker: Linker, tmp_path: Path) -> None:
    linker.save(tmp_path / "linker")
    path = tmp_path / "linker" / "step_keys.npy"
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(bytes(data))
    with pytest.raises(DamageError, match="step_keys"):
        Linker.load(tmp_path / "linker")


def test_version_tells_names_and_options_apart(linker: Linker) -> None:
    assert Linker.build(ENTITIES[::-1]).version == linker.version
    assert Linker.build(ENTITIES[1:]).version != linker.version
    assert linker.within(branches=("C",)).version != linker.version


def test_built_from_a_graph(linker: Linker) -> None:
    assert Linker.build(Graph.build(ENTITIES)).version == linker.version


def test_empty(linker: Linker) -> None:
    assert linker.link("") == []
    assert Linker.build([]).link("breast cancer") == []


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.text(max_size=8),
            st.sampled_from(
                ["breast", "and", "cancer", "(AT)", "ataxia telangiectasia", "no", "AIDS", ",", "/",
                 "the", "hemophilia A", "or B", "2型", "糖尿病", "无", ".", "İ", "type 2", "\n"]
            ),
        ),
        max_size=20,
    ).map(" ".join)
)  # fmt: skip
def test_any_text_gives_sound_mentions(linker: Linker, text: str) -> None:
    mentions = linker.link(text)
    assert mentions == linker.link(text)
    for mention in mentions:
        assert 0 <= mention.start < mention.end <= len(text)
        assert text[mention.start : mention.end] == mention.text
        scores = [score for _, score in mention.entities]
        assert scores == sorted(scores, reverse=True)
        assert all(0 < score <= 1 for score in scores)
    starts = [mention.start for mention in mentions]
    assert starts == sorted(starts)


@pytest.mark.parametrize(
    "piece",
    ["breast and ", "no ", "(AT) ", "ataxia telangiectasia (AT) ", "no edema ", "type 2 ", "( ",
     "AAAA (BB) ", "糖", "无高血压", "a, "],
)  # fmt: skip
def test_cost_grows_with_the_text_not_its_square(linker: Linker, piece: str) -> None:
    def cost(size: int) -> float:
        text = piece * (size // len(piece))
        begun = time.process_time()
        linker.link(text)
        return time.process_time() - begun

    def grows() -> float:
        """Eight times the text costs so many times as much: linear is 8, a square 64."""
        small, large = min(cost(40_000) for _ in range(3)), min(cost(320_000) for _ in range(2))
        return large / max(small, 0.004)  # small times are noisy

    cost(10_000)
    # Other work on the machine takes its caches for a while: a square stays one in every try.
    assert any(grows() < 30 for _ in range(4))


HARMED = [
    Entity(id="MESH:D007674", name="Kidney Diseases", type="Disease", places=("C12",)),
    Entity(id="MESH:D009422", name="Nervous System Diseases", type="Disease", places=("C10",)),
    Entity(id="MESH:D000208", name="Acute Disease", type="Disease", places=("C23",)),
    Entity(id="MESH:D014786", name="Vision Disorders", type="Disease", places=("C10.1",)),
    Entity(id="MESH:D9001", name="Lung Injury", type="Disease", places=("C08.1",)),
    Entity(id="MESH:D9002", name="Lung Diseases", type="Disease", places=("C08",)),
    Entity(id="MESH:D9003", name="Crest Syndrome", type="Disease", places=("C17",)),
    Entity(id="MESH:D014635", name="Valproic Acid", places=("D10",)),
    Entity(id="MESH:D001647", name="Bile Acids and Salts", places=("D04",)),
    Entity(id="MESH:D9005", name="Chemical and Drug Induced Liver Injury", places=("C06",)),
    Entity(id="MESH:D007854", name="Lead", places=("D01.1",)),
    Entity(id="MESH:D001244", name="Association", places=("F02",)),
    Entity(id="MESH:D9006", name="Associations", places=("N03",)),
]  # fmt: skip


@pytest.fixture(scope="module")
def harmed() -> Linker:
    return Linker.build(HARMED)


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        ("renal damage", [("renal damage", "MESH:D007674")]),
        ("Kidney lesions", [("Kidney lesions", "MESH:D007674")]),
        ("nephrotoxicity", [("nephrotoxicity", "MESH:D007674")]),
        ("neurotoxic", [("neurotoxic", "MESH:D009422")]),
        ("neurological deficits", [("neurological deficits", "MESH:D009422")]),
        ("neurologic disorders", [("neurologic disorders", "MESH:D009422")]),
        ("visual impairment", [("visual impairment", "MESH:D014786")]),
        # What a name says itself goes before.
        ("lung injury", [("lung injury", "MESH:D9001")]),
        ("lung damage", [("lung damage", "MESH:D9002")]),
        # A degree is no organ, and a syndrome is no harm.
        ("acute toxicity", []),
        ("crest damage", []),
    ],
)
def test_harm_to_an_organ_is_its_disease(
    harmed: Linker, text: str, mentions: list[tuple[str, str]]
) -> None:
    assert found(harmed, text) == mentions


@pytest.mark.parametrize(
    ("text", "entity"),
    [
        ("valproate", "MESH:D014635"),
        ("bile salts", "MESH:D001647"),
        ("bile acids", "MESH:D001647"),
        ("drug induced liver injury", "MESH:D9005"),
        ("chemical induced liver injury", "MESH:D9005"),
    ],
)
def test_anions_and_halves_of_headings(harmed: Linker, text: str, entity: str) -> None:
    assert found(harmed, text) == [(text, entity)]


def test_a_word_that_indexers_take_for_no_heading_is_no_name(harmed: Linker) -> None:
    """Both are counted: "lead" is a verb, "association" no psychology; a stranger's entity of
    the same name was not counted and stays."""
    text = "This may lead to an association"
    assert found(harmed, text) == [("association", "MESH:D9006")]


def test_names_that_were_counted_are_in_their_normal_form() -> None:
    from osler.knowledge.dictionary import unspecific
    from osler.knowledge.normalise import normal_name

    assert ("lead", "MESH:D007854") in unspecific()
    for form, id in unspecific():
        assert id.startswith("MESH:")
        assert form
    assert len(unspecific()) > 100
    assert normal_name("Lead") == ("lead",)
