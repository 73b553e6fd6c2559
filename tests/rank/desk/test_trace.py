"""Labelled tables in, steps and summary out."""

import csv
import json

import pytest

from osler.errors import FieldError, FormatError
from osler.rank.desk.curve_svg import recall_svg
from osler.rank.desk.labelled import read_labelled
from osler.rank.desk.simulate import Simulation, simulate
from osler.rank.desk.step import Step
from osler.rank.desk.trace import COLUMNS, steps_of, summary_of, write_trace

MARKS = (True, False, True, True, False, True, False, False, False, False)


def table(tmp_path, text):
    path = tmp_path / "review.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_table_of_asreview(tmp_path):
    path = table(
        tmp_path,
        "record_id,title,abstract,included\n7,Statins,Muscle pain,1\n8,Asthma,,0\n9,Left,open,\n",
    )
    review = read_labelled(path)
    assert review.name == "review"
    assert review.ids == ["7", "8"]
    assert review.texts == ["Statins Muscle pain", "Asthma"]
    assert review.relevant == [True, False]
    assert review.passed_over == 1


def test_a_column_by_name_and_none(tmp_path):
    path = table(tmp_path, "title,label_abstract\nA,yes\nB,no\n")
    assert read_labelled(path, label="label_abstract").relevant == [True, False]
    with pytest.raises(FormatError, match="no column of decisions"):
        read_labelled(path)
    with pytest.raises(FormatError, match="no column 'other'"):
        read_labelled(path, label="other")


def test_what_is_no_decision(tmp_path):
    with pytest.raises(FieldError, match="line 2: 'perhaps' is no decision"):
        read_labelled(table(tmp_path, "title,included\nA,perhaps\n"))
    with pytest.raises(FormatError, match="both kinds"):
        read_labelled(table(tmp_path, "title,included\nA,1\n"))


@pytest.mark.parametrize("column", ["Decision", "Label Included", " Included? ", "asreview_label"])
@pytest.mark.parametrize(("yes", "no"), [("Include", "exclude"), ("Y", "n"), ("1.0", "0.0")])
def test_columns_and_words_as_others_write_them(tmp_path, column, yes, no):
    text = f"TITLE;Abstract Note;{column}\nA;B;{yes}\nC;;{no}\nD;;Maybe\nE;;\nF;1\n"
    review = read_labelled(table(tmp_path, "\ufeff" + text))
    assert review.texts == ["A B", "C"]
    assert review.relevant == [True, False]
    assert (review.passed_over, review.broken, review.blank) == (2, 1, 0)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("title,included\nA,1\nB,1\n", "both kinds: all of 2 included"),
        ("title,included\nA,0\nB,0\nC,0\n", "both kinds: none of 3 included"),
        ("title,included\nA,\nB,maybe\n", "no paper with a decision"),
        ("title,included\n", "no paper with a decision"),
        ("name,included\nA,1\nB,0\n", "no column of titles or abstracts"),
        ("title,abstract,included\n,,1\n,,0\n", "neither titles nor abstracts"),
    ],
)
def test_what_is_no_finished_review(tmp_path, text, why):
    with pytest.raises(FormatError, match=why):
        read_labelled(table(tmp_path, text))


def test_papers_without_words_are_counted(tmp_path):
    review = read_labelled(table(tmp_path, "title,included\nA,1\n,0\nB,0\n"))
    assert (len(review.texts), review.blank) == (3, 1)


def test_steps_are_every_paper_and_end_sure():
    steps = list(steps_of(Simulation(4, tuple(range(10)), MARKS)))
    assert [step.read for step in steps] == list(range(2, 11))
    assert [step.found for step in steps] == [1, 2, 3, 3, 4, 4, 4, 4, 4]
    assert (steps[-1].low, steps[-1].high, steps[-1].may_stop) == (1.0, 1.0, True)
    assert {step.seed for step in steps} == {4}
    thinner = list(steps_of(Simulation(4, tuple(range(10)), MARKS), every=3))
    assert [step.read for step in thinner] == [2, 5, 8, 10]


def test_summary_by_hand():
    run = Simulation(0, tuple(range(10)), MARKS)
    steps = [
        Step(0, 4, 3, 0.5, 0.7, 0.8, False),
        Step(0, 7, 4, 0.5, 0.9, 0.95, True),
        Step(0, 10, 4, 1.0, 1.0, 1.0, True),
    ]
    summary = summary_of(run, steps)
    assert summary["stopped_after"] == 7
    assert summary["recall_at_stop"] == 1.0
    assert summary["work_saved_at_stop"] == pytest.approx(0.3)
    assert summary["interval_holds"] == pytest.approx(2 / 3)
    assert summary["interval_width"] == pytest.approx((0.3 + 0.45 + 0) / 3)


def test_files_that_anybody_can_check(tmp_path):
    texts = ["statins pain"] * 4 + ["asthma child"] * 8
    runs = []
    for seed in (0, 1):
        run = simulate(texts, [True] * 4 + [False] * 8, seed=seed)
        runs.append((run, list(steps_of(run))))
    summary = write_trace(tmp_path / "out", runs, name="toy", method="elas")
    with (tmp_path / "out" / "steps.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == 22
    kept = json.loads((tmp_path / "out" / "summary.json").read_text(encoding="utf-8"))
    assert kept == summary
    assert set(kept["wss95"]) == {"0", "1"}
    assert kept["mean"]["wss95"] == pytest.approx(sum(kept["wss95"].values()) / 2)
    picture = recall_svg("<toy>", runs)
    assert "&lt;toy&gt;" in picture
    assert picture.count("<polyline") == 2
