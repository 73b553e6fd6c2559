"""Each terminology reader: what a well-formed file gives, and what a bad one does."""

from __future__ import annotations

import contextlib
import gzip
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from osler.errors import FieldError, FormatError, InputError
from osler.files.reader import readers, recognise
from osler.files.source import Source
from osler.kinds import Entity, Note, Reject, Triple
from osler.knowledge.readers._common import shown

FIXTURES = Path(__file__).parent / "fixtures"


def read(path: Path, format: str | None = None, **options: object) -> list[object]:
    source = Source(path)
    return list(recognise(source, format=format, **options).read(source))


def entities(items: list[object]) -> dict[str, Entity]:
    return {item.id: item for item in items if isinstance(item, Entity)}


def triples(items: list[object]) -> set[tuple[str, str, str]]:
    return {(t.head, t.relation, t.tail) for t in items if isinstance(t, Triple)}


def rejects(items: list[object]) -> list[Reject]:
    return [item for item in items if isinstance(item, Reject)]


@pytest.mark.parametrize(
    ("file", "format"),
    [
        ("small.obo", "obo"),
        ("desc.xml", "mesh-xml"),
        ("descriptors.tsv", "mesh"),
        ("rf2", "snomed-rf2"),
        ("rrf", "umls-rrf"),
        ("small.hpoa", "hpo-annotations"),
        ("genes_to_phenotype.txt", "hpo-genes"),
        ("terms.tsv", "terms"),
        ("terms.json", "indra-json"),
        ("typed.tsv", "triples"),
        ("ids.csv", "triples"),
        ("hetio.tsv", "triples"),
        ("hetio_nodes.tsv", "nodes"),
    ],
)
def test_recognised_by_content(file: str, format: str) -> None:
    assert recognise(Source(FIXTURES / file)).name == format


def test_obo() -> None:
    items = read(FIXTURES / "small.obo")
    found = entities(items)
    assert set(found) == {"HP:9000001", "HP:9000002", "HP:9000003"}
    wheeze = found["HP:9000002"]
    assert wheeze.synonyms == ("Whistling chest", "Chest wheeze")
    assert wheeze.definition == "Whistling breath."
    assert wheeze.parents == ("HP:9000001",)
    assert wheeze.xrefs == ("MESH:D900002", "SCTID:900000002", "UMLS:C9000002", "HP:9000099")
    assert found["HP:9000001"].definition == 'A phenotype "quoted" for tests.'
    assert found["HP:9000003"].parents == ("HP:9000002",)
    assert triples(items) == {("HP:9000003", "part_of", "HP:9000001")}
    assert not rejects(items)


def test_obo_counts_obsolete_terms() -> None:
    source = Source(FIXTURES / "small.obo")
    reader = recognise(source)
    list(reader.read(source))
    assert reader.obsolete == 1  # type: ignore[attr-defined]


@pytest.mark.parametrize("file", ["desc.xml", "descriptors.tsv"])
def test_mesh_parents_come_from_tree_numbers(file: str) -> None:
    items = read(FIXTURES / file)
    found = entities(items)
    assert found["MESH:D900002"].parents == ("MESH:D900001", "MESH:D900003")
    assert found["MESH:D900002"].places == ("C90.100.200", "C91.300")
    assert found["MESH:D900001"].synonyms[0] == "Diseases, Chest"
    assert found["MESH:D900001"].type == "Disease"
    # C90 is not in the file: the gap is told.
    assert [reject.id for reject in rejects(items)] == ["MESH:D900001"]


def test_mesh_xml_takes_terms_of_all_concepts_and_the_scope_note() -> None:
    found = entities(read(FIXTURES / "desc.xml"))
    assert found["MESH:D900002"].synonyms == ("Stridor-like Wheeze",)
    assert found["MESH:D900001"].definition == "Diseases of the chest, for tests."


def test_mesh_table_without_header(tmp_path: Path) -> None:
    path = tmp_path / "labels.tsv"
    path.write_text("D900001\tChest Diseases\tDiseases, Chest|Chest Disease\tC90\t\n")
    assert recognise(Source(path)).name == "mesh"
    only = entities(read(path))["MESH:D900001"]
    assert only.places == ("C90",)
    assert only.synonyms == ("Diseases, Chest", "Chest Disease")


def test_rf2() -> None:
    items = read(FIXTURES / "rf2")
    found = entities(items)
    small = found["SCTID:900001"]
    assert small.name == "Small wheeze"  # preferred by the American reference set
    assert set(small.synonyms) == {
        "Wheezing disorder, small",
        "小喘息病",
        "Small wheezing disorder",
    }
    assert small.type == "disorder"
    assert small.definition == "A wheeze that is small."
    assert small.parents == ("SCTID:64572001",)
    assert found["SCTID:900004"].name == "Large wheezing disorder"
    assert "SCTID:900003" not in found  # inactive
    assert triples(items) == {("SCTID:900001", "Finding site", "SCTID:900002")}
    reasons = {reject.id: reject.reason for reject in rejects(items)}
    # is-a to an inactive one
    assert reasons["900001"] == "concept 900003 is not active in the release"
    assert "without a name" in reasons["SCTID:900005"]


@pytest.mark.parametrize(
    ("id", "told"),
    [("MESH:D900001", " MESH:D900001"), ("C0000001", " C0000001"), ("64572001", " 64572001")],
)
def test_an_id_is_named_in_a_reason(id: str, told: str) -> None:
    assert shown(id) == told


@pytest.mark.parametrize("id", ["", "Jane Doe", "JANEDOEC0000001", "1\n2", "a:b", "x" * 99])
def test_what_is_written_unlike_an_id_is_not_repeated(id: str) -> None:
    """Found by fuzzing: a reason repeated whatever stood where an id should."""
    assert shown(id) == ""


@pytest.mark.parametrize(("given", "told"), [("", None), ("999999", "999999")])
def test_rf2_with_a_relationship_that_has_no_name(
    tmp_path: Path, given: str, told: str | None
) -> None:
    """Found by fuzzing: a relationship of an empty type became a triple without a relation."""
    shutil.copytree(FIXTURES / "rf2", tmp_path / "rf2")
    (path,) = (tmp_path / "rf2").rglob("sct2_Relationship*")
    path.write_text(path.read_text().replace("363698007", given))
    items = read(tmp_path / "rf2")
    assert {relation for _, relation, _ in triples(items)} == ({told} if told else set())
    without = [reject for reject in rejects(items) if "without a type" in reject.reason]
    assert bool(without) is (told is None)


def test_rf2_in_another_language() -> None:
    found = entities(read(FIXTURES / "rf2", language="zh"))
    # No reference set prefers a Chinese term, so the English preferred name stays first.
    assert "小喘息病" in found["SCTID:900001"].names


def test_rf2_without_descriptions_is_an_error(tmp_path: Path) -> None:
    shutil.copytree(FIXTURES / "rf2", tmp_path / "rf2")
    for path in (tmp_path / "rf2").rglob("sct2_Description*"):
        path.unlink()
    source = Source(tmp_path / "rf2")
    stream = recognise(source).read(source)
    with pytest.raises(FormatError, match="sct2_Description"):
        next(stream)


def test_rrf() -> None:
    items = read(FIXTURES / "rrf")
    found = entities(items)
    assert set(found) == {"UMLS:C9000001", "UMLS:C9000002", "UMLS:C9000003"}
    chest = found["UMLS:C9000001"]
    assert chest.name == "Chest Diseases"
    assert chest.type == "Disease or Syndrome"
    assert set(chest.synonyms) == {"Disorder of chest", "胸部疾病"}
    assert chest.xrefs == ("MESH:D900001", "SCTID:900001")
    assert found["UMLS:C9000002"].xrefs == ("HP:9000002", "SCTID:900000002")
    assert found["UMLS:C9000002"].parents == ("UMLS:C9000001",)
    assert triples(items) == {("UMLS:C9000003", "may treat", "UMLS:C9000001")}
    assert sorted(reject.file for reject in rejects(items)) == [
        "rrf/MRHIER.RRF",
        "rrf/MRREL.RRF",
        "rrf/MRSTY.RRF",
    ]


def test_rrf_in_german() -> None:
    found = entities(read(FIXTURES / "rrf", languages=("GER",)))
    assert found["UMLS:C9000004"].name == "Nur deutsch"
    assert found["UMLS:C9000004"].language == "de"


def test_rrf_row_of_another_width_is_a_reject(tmp_path: Path) -> None:
    shutil.copytree(FIXTURES / "rrf", tmp_path / "rrf")
    with (tmp_path / "rrf" / "MRSTY.RRF").open("a") as stream:
        stream.write("C9000001|T047|\n")
    assert "2 fields, expected 6" in [r.reason for r in rejects(read(tmp_path / "rrf"))]


def test_hpo_annotations() -> None:
    items = read(FIXTURES / "small.hpoa")
    assert triples(items) == {
        ("OMIM:900001", "has phenotype", "HP:9000002"),
        ("OMIM:900001", "excludes phenotype", "HP:9000003"),
        ("OMIM:900001", "has inheritance", "HP:9000001"),
    }
    assert entities(items)["OMIM:900001"].name == "Small wheezing disease"
    assert len(rejects(items)) == 1


def test_hpo_genes() -> None:
    items = read(FIXTURES / "genes_to_phenotype.txt")
    assert ("NCBIGene:1", "gene associated with phenotype", "HP:9000002") in triples(items)
    assert ("NCBIGene:1", "gene associated with disease", "OMIM:900001") in triples(items)
    assert len(rejects(items)) == 1


def test_terms_table_and_json() -> None:
    table = entities(read(FIXTURES / "terms.tsv"))
    assert table["MONDO:9000002"].xrefs == ("SCTID:900000002", "UMLS:C9000002", "MONDO:9000009")
    items = read(FIXTURES / "terms.json")
    assert entities(items)["MONDO:9000002"].parents == ("MONDO:9000001",)
    assert [reject.place for reject in rejects(items)] == ["record 3"]


def test_triples_with_types() -> None:
    items = read(FIXTURES / "typed.tsv")
    assert ("疾病:感冒", "症状", "症状:发热") in triples(items)
    assert ("疾病:感冒", "忌讳食物", "食物:发热") in triples(items)
    assert len(entities(items)) == 4  # one name under two types is two entities


def test_triples_with_ids_and_quotes() -> None:
    items = read(FIXTURES / "ids.csv")
    assert triples(items) == {("MESH:D1", "treats", "MONDO:9000001")}
    assert entities(items)["MESH:D1"].name == "Smallol, oral"


def test_hetionet() -> None:
    items = read(FIXTURES / "hetio.tsv")
    assert triples(items) == {("Disease::DOID:1", "associates", "Gene::10")}
    assert not entities(items)  # the nodes' table names them
    assert entities(read(FIXTURES / "hetio_nodes.tsv"))["Gene::10"].name == "WHZ1"


@pytest.mark.parametrize(
    ("header", "missing"),
    [
        ("head\ttail\thead_type", "relation"),
        ("head\trelation\ttail_type", "tail"),
        ("relation,tail,head_type", "head"),
    ],
)
def test_missing_column_is_named(tmp_path: Path, header: str, missing: str) -> None:
    path = tmp_path / "triples.tsv"
    path.write_text(header + "\na\tb\tc\n")
    with pytest.raises(FieldError, match=rf"E104 .*no column {missing}\b"):
        read(path)


def test_triple_rows_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "triples.tsv"
    path.write_bytes(
        b"head\trelation\ttail\n"
        b"a\tr\tb\n"  # good
        b"a\tr\n"  # too few
        b"a\t\tb\n"  # empty relation
        b"\xff\tr\tb\n"  # not UTF-8
        + b"x" * 200_000
        + b"\tr\tb\n"  # a name of 200,000 characters
        + b"c\tr\td\n"
    )
    items = read(path)
    assert len(triples(items)) == 2
    assert [reject.place for reject in rejects(items)] == ["line 3", "line 4", "line 5", "line 6"]


def obo(*terms: tuple[str, str, list[str]]) -> str:
    text = "format-version: 1.2\n"
    for id, name, parents in terms:
        text += f"\n[Term]\nid: {id}\nname: {name}\n" + "".join(f"is_a: {p}\n" for p in parents)
    return text


def test_cycle_is_broken_at_the_same_edge_whatever_the_order(tmp_path: Path) -> None:
    terms = [("X:1", "one", ["X:3"]), ("X:2", "two", ["X:1"]), ("X:3", "three", ["X:2"])]
    kept = []
    for number, order in enumerate((terms, terms[::-1], [terms[1], terms[0], terms[2]])):
        path = tmp_path / f"{number}.obo"
        path.write_text(obo(*order))
        items = read(path)
        assert [reject.id for reject in rejects(items)] == ["X:2"]
        kept.append({id: entity.parents for id, entity in entities(items).items()})
    assert kept[0] == kept[1] == kept[2]
    assert kept[0] == {"X:1": ("X:3",), "X:2": (), "X:3": ("X:2",)}


def test_dangling_own_and_repeated_ids_are_rejects(tmp_path: Path) -> None:
    path = tmp_path / "bad.obo"
    path.write_text(obo(("X:1", "one", ["X:9", "X:1"]), ("X:1", "again", []), ("", "none", [])))
    items = read(path)
    assert entities(items)["X:1"].parents == ()
    assert len(rejects(items)) == 4


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.obo", lambda name: obo(("X:1", name, []), ("X:2", "fine", []))),
        ("a.tsv", lambda name: f"id\tname\tsynonyms\tparents\nX:1\tn\t{name}\t\nX:2\tfine\t\t\n"),
        ("b.tsv", lambda name: f"id\tname\ttree_numbers\tentry_terms\nD000001\t{name}\tC01\t\n"
                               "D000002\tfine\tC02\t\n"),
        ("a.json", lambda name: f'[{{"id":"X:1","namespace":"x","name":"{name}"}},'
                                '{"id":"X:2","name":"fine","namespace":"x"}]'),
    ],
)  # fmt: skip
def test_huge_name_is_one_reject(tmp_path: Path, name: str, content: Callable[[str], str]) -> None:
    path = tmp_path / name
    path.write_text(content("n" * 200_000))
    items = read(path)
    assert len(entities(items)) == 1
    assert len(rejects(items)) == 1
    assert len(rejects(items)[0].reason) < 200


def test_deep_chain_needs_no_recursion(tmp_path: Path) -> None:
    path = tmp_path / "deep.obo"
    chain = [(f"X:{n}", f"t{n}", [f"X:{n + 1}"] if n < 4999 else []) for n in range(5000)]
    path.write_text(obo(*chain))
    assert not rejects(read(path))


def test_cut_gzip_gives_what_was_whole_then_an_error(tmp_path: Path) -> None:
    data = gzip.compress(b"head\trelation\ttail\n" + b"aaaa\tr\tbbbb\n" * 200_000)
    path = tmp_path / "t.tsv.gz"
    path.write_bytes(data[: len(data) // 2])
    source = Source(path)
    stream = recognise(source, format="triples").read(source)
    assert isinstance(next(stream), Entity)
    with pytest.raises(FormatError):
        list(stream)


_FORMATS = ("obo", "mesh", "mesh-xml", "terms", "indra-json", "triples", "nodes",
            "hpo-annotations", "hpo-genes")  # fmt: skip


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(format=st.sampled_from(_FORMATS), data=st.binary(max_size=400), seed=st.integers(0, 10**6))
def test_noise_never_escapes_as_another_error(
    tmp_path: Path, format: str, data: bytes, seed: int
) -> None:
    """Bytes of any kind, alone or put into a good file: items, rejects or an error of the tree."""
    good = {
        "obo": "small.obo", "mesh": "descriptors.tsv", "mesh-xml": "desc.xml", "terms": "terms.tsv",
        "indra-json": "terms.json", "triples": "typed.tsv", "nodes": "hetio_nodes.tsv",
        "hpo-annotations": "small.hpoa", "hpo-genes": "genes_to_phenotype.txt",
    }[format]  # fmt: skip
    whole = (FIXTURES / good).read_bytes()
    place = seed % (len(whole) + 1)
    path = tmp_path / "noise"
    for content in (data, whole[:place] + data + whole[place:], whole[:place]):
        path.write_bytes(content)
        source = Source(path)
        items = []
        with contextlib.suppress(InputError):
            items.extend(readers.get(format)().read(source))
        assert all(isinstance(item, Entity | Triple | Reject | Note) for item in items)


def notes(items: list[object]) -> list[Note]:
    return [item for item in items if isinstance(item, Note)]


def renamed(folder: Path, kind: str) -> Path:
    """The fixture's release with its files called by another kind of release."""
    target = folder / "release"
    target.mkdir()
    for path in (FIXTURES / "rf2").rglob("*.txt"):
        name = path.name.replace("_Snapshot", f"_{kind}" if kind else "")
        shutil.copy(path, target / name.replace("LanguageSnapshot", f"Language{kind}"))
    return target


@pytest.mark.parametrize("kind", ["Full", "Delta", ""])
def test_rf2_of_other_kinds(tmp_path: Path, kind: str) -> None:
    assert entities(read(renamed(tmp_path, kind))) == entities(read(FIXTURES / "rf2"))


def test_rf2_full_takes_the_latest_state(tmp_path: Path) -> None:
    folder = renamed(tmp_path, "Full")
    (path,) = folder.glob("sct2_Concept*")
    head, *rows = path.read_text().splitlines()
    # An earlier state that was inactive, and a later one that is: in no order.
    (living,) = (row for row in rows if row.startswith("900004\t"))
    old = living.replace("20240101\t1", "20200101\t0")
    (root,) = (row for row in rows if row.startswith("900001\t"))
    retired = root.replace("20240101\t1", "20250101\t0")
    path.write_text("\n".join([head, retired, *rows, old]) + "\n")
    items = read(folder)
    assert "SCTID:900001" not in entities(items)
    assert "SCTID:900004" in entities(items)
    assert any("not the latest" in note.reason and note.count >= 2 for note in notes(items))


def test_rf2_without_relationships_says_so(tmp_path: Path) -> None:
    folder = renamed(tmp_path, "Snapshot")
    for path in folder.glob("sct2_Relationship*"):
        path.unlink()
    assert any("no relationships" in note.reason for note in notes(read(folder)))


def test_obo_without_a_header(tmp_path: Path) -> None:
    path = tmp_path / "bare.obo"
    path.write_text(
        "[Term]\nid: HP:0000001\nname: All\n\n"
        "[Term]\nid: HP:0000002\nname: Old\nis_obsolete: true\n"
    )
    items = read(path)
    assert set(entities(items)) == {"HP:0000001"}
    assert [(note.what, note.count) for note in notes(items)] == [("skipped", 1)]


def test_mesh_supplementary_records() -> None:
    (entity,) = entities(read(FIXTURES / "supp.xml")).values()
    assert (entity.id, entity.name, entity.type) == (
        "MESH:C900001",
        "wheezolol",
        "Chemical or drug",
    )
    assert entity.synonyms == ("W-17",)
    assert entity.parents == ("MESH:D900002",)


def test_orphanet() -> None:
    (entity,) = entities(read(FIXTURES / "orphanet.xml")).values()
    assert (entity.id, entity.name) == ("ORPHA:900001", "Testing syndrome")
    assert (entity.synonyms, entity.xrefs) == (("Syndrome of tests",), ("OMIM:900002",))
