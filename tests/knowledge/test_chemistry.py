"""Chemistry in texts: charges, salts, acids and their anions, numbers, classes."""

from __future__ import annotations

import pytest

from osler.kinds import Entity
from osler.knowledge.chemistry import charged, salt_ions
from osler.knowledge.linker import Linker


def chemical(id: str, name: str, *synonyms: str, places: tuple[str, ...] = ()) -> Entity:
    return Entity(
        id=f"MESH:{id}", name=name, type="Chemical or drug", synonyms=synonyms, places=places
    )


CHEMICALS = (
    chemical("D1", "Sodium", places=("D01.268.557",)),
    chemical("D2", "Pentobarbital", places=("D03.383.742.698",)),
    chemical("D3", "Timolol", places=("D02.033.100",)),
    chemical("D4", "Maleates", "Maleate", places=("D02.241.081",)),
    chemical("D5", "Calcium", places=("D01.268.552.100",)),
    chemical("D6", "Glutamates", places=("D12.125.067",)),
    chemical("D7", "Glutamic Acid", places=("D12.125.067.625",)),
    chemical("D8", "Indium", places=("D01.268.552.300",)),
    chemical("D9", "Lipids", places=("D10",)),
    chemical("D10", "Hormones", places=("D06.472",)),
    chemical("D11", "RNA", "Ribonucleic Acid", places=("D13.444.735",)),
    chemical("D12", "Potassium", places=("D01.268.557.575",)),
    chemical("D13", "Nitric Acid", places=("D01.625.525",)),
    chemical("D14", "Nitrates", places=("D01.625.550",)),
    chemical("D15", "Tetracycline", places=("D02.455.426.559.847.562.900",)),
    chemical("D16", "Tetracyclines", places=("D02.455.426.559.847.562",)),
    chemical("D17", "Chlorides", "Chloride", places=("D01.210.450.150",)),
    Entity(id="MESH:D90", name="Hers Disease", type="Disease", places=("C16.320",)),
    Entity(
        id="MESH:D91",
        name="Hereditary Breast and Ovarian Cancer Syndrome",
        type="Disease",
        places=("C04.588.180.483",),
    ),
    Entity(id="MESH:D92", name="Breast Neoplasms", type="Disease", places=("C04.588.180",)),
    Entity(id="MESH:D93", name="Ovarian Neoplasms", type="Disease", places=("C04.588.322",)),
)


@pytest.fixture(scope="module")
def linker() -> Linker:
    return Linker.build(CHEMICALS)


def linked(linker: Linker, text: str) -> list[tuple[str, str]]:
    return [(one.text, one.entity.removeprefix("MESH:")) for one in linker.link(text)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ca(2+) overload", [("Ca(2+)", "calcium")]),
        ("Ca2+ and Na+ rose", [("Ca2+", "calcium"), ("Na+", "sodium")]),
        ("Ca++", [("Ca++", "calcium")]),
        ("a Na(+)/K(+)-ATPase", [("Na(+)", "sodium"), ("K(+)", "potassium")]),
        ("Cl(-) channels", [("Cl(-)", "chloride")]),
        # Neither a plain symbol nor a part of a word nor a sum.
        ("Ca and K rose", []),
        ("vitamin K-dependent", []),
        ("DNa2+", []),
        ("K+L and K+1", []),
    ],
)
def test_a_charge_makes_a_symbol_an_element(text: str, names: list[tuple[str, str]]) -> None:
    assert [(text[start:end], name) for start, end, name in charged(text)] == names


def test_a_symbol_is_linked_where_nothing_else_is(linker: Linker) -> None:
    assert linked(linker, "Calcium, Ca(2+), fell") == [("Calcium", "D5"), ("Ca(2+)", "D5")]
    assert linked(linker, "Zn2+ fell") == []
    mentions = linker.link("Glutamate, then Ca2+, then glutamate")
    assert [one.start for one in mentions] == sorted(one.start for one in mentions)


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        ("sodium pentobarbital", [("pentobarbital", "D2")]),
        ("pentobarbital-sodium", [("pentobarbital", "D2")]),
        ("timolol maleate", [("timolol", "D3")]),
        ("timolol, then sodium pentobarbital", [("timolol", "D3"), ("pentobarbital", "D2")]),
        # Alone, or with more than a blank between, it is what is spoken of.
        ("sodium intake", [("sodium", "D1")]),
        ("pentobarbital, sodium", [("pentobarbital", "D2"), ("sodium", "D1")]),
        ("maleate", [("maleate", "D4")]),
        # Two cations; a cation with its anion keeps the cation.
        ("sodium potassium exchange", [("sodium", "D1"), ("potassium", "D12")]),
        ("calcium chloride", [("calcium", "D5")]),
    ],
)
def test_the_ion_of_a_salt_is_not_spoken_of(
    linker: Linker, text: str, mentions: list[tuple[str, str]]
) -> None:
    assert linked(linker, text) == mentions


def test_an_ion_beside_another_kind_of_thing_stays() -> None:
    text = "sodium asthma"
    assert salt_ions(text, [(0, 6), (7, 13)], lambda a, b: False) == frozenset()
    assert salt_ions(text, [(0, 6), (7, 13)], lambda a, b: True) == {0}
    assert salt_ions("sodium", [(0, 6)], lambda a, b: True) == frozenset()


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("glutamate", "D7"),
        ("Glutamates", "D6"),
        ("glutamic acid", "D7"),
        ("tetracycline", "D15"),
        ("Tetracyclines", "D16"),
        # The anion of a mineral acid is a substance of its own.
        ("nitrate", "D14"),
    ],
)
def test_the_number_of_a_name_decides_between_a_substance_and_its_class(
    linker: Linker, text: str, id: str
) -> None:
    assert linked(linker, text) == [(text, id)]


def test_words_that_only_stemming_makes_alike(linker: Linker) -> None:
    assert linked(linker, "in India, her disease was rare") == []
    assert linked(linker, "Indium and Hers disease") == [("Indium", "D8"), ("Hers disease", "D90")]


def test_in_the_plural_joined_disorders_are_two(linker: Linker) -> None:
    syndrome = [("breast and ovarian cancer", "D91")]
    assert linked(linker, "breast and ovarian cancer") == syndrome
    assert linked(linker, "breast-ovarian cancer") == [("breast-ovarian cancer", "D91")]
    two = linked(linker, "breast and ovarian cancers")
    assert [id for _, id in two] == ["D92", "D93"]


def test_classes_and_branches_are_left_out(linker: Linker) -> None:
    text = "lipids, hormones, RNA and calcium"
    assert [id for _, id in linked(linker, text)] == ["D9", "D10", "D11", "D5"]
    assert [id for _, id in linked(linker.within(steps=1), text)] == ["D10", "D11", "D5"]
    fine = linker.within(branches=("D",), steps=2)
    assert [id for _, id in linked(fine, text)] == ["D11", "D5"]
    assert [id for _, id in linked(linker.within(without=("D13.444",)), text)] == [
        "D9",
        "D10",
        "D5",
    ]
    assert fine.version != linker.within(branches=("D",)).version
    assert linker.within(without=("D",)).version != linker.version
