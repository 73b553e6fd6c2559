"""Weak labels, clusters checked by hand, agreement, judging."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sklearn")

from osler.errors import ChoiceError, FieldError, InputError
from osler.grade.judging import Task, decide, pooled, read_tasks, verdict, write_tasks
from osler.grade.labels.checking import read_checks, write_clusters
from osler.grade.labels.kimp import kimp_levels, level
from osler.grade.labels.rcor import Clusters, describes, masked
from osler.grade.labels.weak import agreement, balanced, table6, weak_labels
from osler.grade.pair import Fact, Pair
from osler.grade.places import Names


def test_masking_leaves_no_entity(pairs: list[Pair]) -> None:
    text = masked(pairs[0])
    assert pairs[0].fact.head not in text
    assert pairs[0].fact.tail not in text
    assert " e " in f" {text} "


def test_masking_takes_all_entities() -> None:
    """Appendix A.2.1: all the entities in the texts, not the fact's two alone."""
    fact = Fact("metformin", "treats", "diabetes")
    text = "Metformin and insulin pumps treat diabetes in old 糖尿病 wards."
    pair = Pair(fact, "", text)
    assert masked(pair) == "e  and insulin pumps treat  e  in old 糖尿病 wards."
    names = Names(["Insulin pump", "糖尿病", "ward round"])
    assert masked(pair, names) == "e  and  e  treat  e  in old  e  wards."
    start = pair.text.index("old")
    known = Pair(fact, "", text, others=(((start, start + 3),),))
    assert masked(known) == "e  and insulin pumps treat  e  in  e  糖尿病 wards."


def test_names_of_a_graph_are_looked_up_by_what_a_text_holds() -> None:
    names = Names(["二型糖尿病", "糖尿病", "TNF-α抑制剂", "heart failure", "Heart", "gout"])
    assert names.within("患者有二型糖尿病,用tnf-α抑制剂。") == {
        "二型糖尿病",
        "糖尿病",
        "TNF-α抑制剂",
    }
    assert names.within("Heart failures in a heartless town") == {"heart failure", "Heart"}
    assert names.within("") == set()


def test_clusters_mask_what_any_pair_and_the_graph_names(pairs: list[Pair]) -> None:
    other = Pair(
        Fact("tea", "treats", "haste"),
        "",
        "Patients with gout received tea treatment in the ward for haste.",
    )
    clusters = Clusters.of([*pairs, other], a_cluster=100, entities=["ward"])
    (cluster,) = clusters.clusters
    shown = [text for text in cluster.samples if "tea" in text or "gout" in text]
    assert shown == []
    assert not any("ward" in text for text in cluster.samples)
    assert not any(name in text for text in cluster.samples for name in ("metformin", "asthma"))
    assert clusters.label(other) in (2, 3)


def test_weak_labels_keep_what_is_not_important() -> None:
    """U-imp is a class of its own; only where it is held against the sample is it M-imp."""
    fact = Fact("tea", "causes", "joy")
    pairs = [
        Pair(
            fact, "Kings of old", "Kings ruled. Tea caused joy once. " + "Kings ruled well. " * 30
        ),
        Pair(
            fact, "Tea causes joy", "Tea caused joy. Tea, joy, tea, joy.", label="0", rcor=3, kimp=3
        ),
    ]
    made = weak_labels(pairs, kimp="frequency")
    assert [pair.kimp for pair in made] == [0, 3]
    assert [pair.label for pair in made] == ["M", "H"]
    told = agreement([pairs[0].labelled(label="3", rcor=3, kimp=1), pairs[1]], made)
    assert told.kimp == 1.0


def test_one_topic_a_paper_finds_its_own_words() -> None:
    """Appendix A.2.1, "each literature is considered to discuss one independent subject": where a
    paper may have a topic, its own words are likelier than where all share one."""
    pytest.importorskip("gensim")
    from osler.grade.labels.kimp import _lda

    papers = {
        f"paper {n}": dict.fromkeys((f"a{n}", f"b{n}"), 6.0) | {"common": 2.0} for n in range(6)
    }
    own = _lda(papers, topics=None, seed=0)
    one = _lda(papers, topics=1, seed=0)
    own_word = [own[f"paper {n}"][f"a{n}"] for n in range(6)]
    among_all = [one[f"paper {n}"][f"a{n}"] for n in range(6)]
    assert min(own_word) > 1.5 * max(among_all)


def test_describing_needs_one_sentence(pairs: list[Pair]) -> None:
    for pair in pairs:
        assert describes(pair) == (pair.rcor == 3)


def test_weak_labels_of_plain_cases_are_right(pairs: list[Pair]) -> None:
    made = weak_labels(pairs)
    found = agreement(pairs, made)
    assert found.rcor == 1.0
    assert found.kimp is not None
    assert found.kimp > 0.6
    assert found.sampled is not None
    told = table6(made)
    assert told.pairs == sum(told.grades.values()) == len(pairs)
    assert (told.relations, told.papers) == (1, len(pairs))


def test_clusters_are_taken_at_a_readers_word(pairs: list[Pair], tmp_path: Path) -> None:
    clusters = Clusters.of(pairs, a_cluster=10)
    path = tmp_path / "clusters.tsv"
    lines = write_clusters(path, clusters)
    assert lines == sum(len(cluster.samples) for cluster in clusters.clusters)
    assert read_checks(path) == {}
    refused = path.read_text("utf-8").splitlines()
    marked = [refused[0]]
    for line in refused[1:]:
        cells = line.split("\t")
        marked.append("\t".join([*cells[:3], "0", *cells[4:]]))
    path.write_text("\n".join(marked) + "\n", encoding="utf-8")
    clusters.check(read_checks(path))
    assert not any(cluster.describes for cluster in clusters.clusters)
    assert {clusters.label(pair) for pair in pairs} == {2}


def test_a_relation_without_clusters_is_judged_by_the_rule(pairs: list[Pair]) -> None:
    clusters = Clusters.of(pairs[:20])
    other = Pair(Fact("tea", "causes", "joy"), "On tea", "Tea caused joy in all.")
    assert clusters.label(other) == 3


def test_bad_marks_say_where(tmp_path: Path) -> None:
    path = tmp_path / "clusters.tsv"
    path.write_text("relation\tcluster\tsize\tdescribes\nx\t0\t3\tmaybe\n", encoding="utf-8")
    with pytest.raises(FieldError, match="line 2: describes is 1 or 0"):
        read_checks(path)


def test_published_thresholds() -> None:
    assert [level(p) for p in (0.7, 0.5, 0.2, 0.1, 0.01)] == [3, 3, 2, 1, 0]


@pytest.mark.parametrize("way", ["frequency", "lda"])
def test_topic_models_give_levels(pairs: list[Pair], way: str) -> None:
    if way == "lda":
        pytest.importorskip("gensim")
    found = kimp_levels(pairs[:20], way=way, topics=3)  # type: ignore[arg-type]
    assert len(found) == 20
    assert set(found) <= {0, 1, 2, 3}


def test_an_unknown_way_lists_the_others(pairs: list[Pair]) -> None:
    with pytest.raises(ChoiceError, match="frequency"):
        kimp_levels(pairs[:2], way="frequencie")  # type: ignore[arg-type]


def test_balanced_rows() -> None:
    rows = balanced(["H"] * 30 + ["I"] * 5, 10)
    assert len(rows) == 15
    assert rows == balanced(["H"] * 30 + ["I"] * 5, 10)


@pytest.mark.parametrize(
    ("marks", "label"),
    [
        ("HHH", "H"),
        ("HHF", "H"),
        ("FFH", "F"),
        ("HHM", None),
        ("FFM", None),
        ("MMH", None),
        ("MMM", "M"),
        ("IIH", None),
        ("III", "I"),
        ("HFM", None),
        ("HH", "H"),
        ("H", None),
    ],
)
def test_the_conflict_rule(marks: str, label: str | None) -> None:
    assert verdict(list(marks)).label == label


def test_pooling_takes_the_top_of_each_run() -> None:
    runs = {
        "one": {"q": {"a": 3.0, "b": 2.0, "c": 1.0}},
        "two": {"q": {"c": 9.0, "d": 8.0, "a": 0.0}},
    }
    assert pooled(runs, top=2) == {"q": ["a", "b", "c", "d"]}
    with pytest.raises(InputError):
        pooled(runs, top=0)


def test_judging_lists_go_round(tmp_path: Path) -> None:
    tasks = [
        Task(head="a", relation="b", tail="c", paper=str(n), marks=dict(zip("xyz", m, strict=True)))
        for n, m in enumerate(["HHH", "HHM", "IIM", "FFF"])
    ]
    outcome = decide(tasks)
    assert outcome.decided == 2
    assert set(outcome.kappas) == {"x and y", "x and z", "y and z"}
    assert outcome.kappas["x and y"] == 1.0
    path = tmp_path / "list.tsv"
    write_tasks(path, tasks, outcome)
    assert [task.marks for task in read_tasks(path)] == [task.marks for task in tasks]
    text = path.read_text("utf-8").replace("\tH\t", "\tQ\t", 1)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FieldError, match="'Q' is no grade"):
        read_tasks(path)
