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


def test_masking_leaves_no_entity(pairs: list[Pair]) -> None:
    text = masked(pairs[0])
    assert pairs[0].fact.head not in text
    assert pairs[0].fact.tail not in text
    assert " e " in f" {text} "


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
