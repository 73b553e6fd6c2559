"""The paper's threshold sweep."""

from __future__ import annotations

import pytest

from osler.errors import MissingExtra
from osler_papers import sweep

FOUND = {
    0: {"a": {"x": 0.9, "y": 0.5}, "b": {"x": 0.4, "y": 0.3}},
    1: {"a": {"x": 0.9, "y": 2.0}, "b": {"x": 0.4, "y": 0.9}},
    2: {"a": {"x": 0.9, "y": 0.5}, "b": {"x": 0.4, "y": 0.9}},
}
JUDGED = {"a": {"y": 1}, "b": {"y": 1, "x": 0}}


def test_gain_is_the_percentage_over_plain_cosine():
    whole = sweep.measured(FOUND, JUDGED)
    assert whole.best == 1
    plain, best = whole.plain["nDCG@100"], whole.enriched[1]["nDCG@100"]
    assert best == pytest.approx(1.0)
    assert whole.gain(1) == pytest.approx(100 * (best - plain) / plain)
    assert whole.gain(1) > whole.gain(2) > 0


def test_recall_is_given_at_each_depth():
    whole = sweep.measured(FOUND, JUDGED)
    assert whole.recall() == [1.0] * len(sweep.DEPTHS)
    assert len(whole.recall(2)) == len(sweep.DEPTHS)


def test_subsets_keep_questions_with_enough_relevant_documents():
    judged = {"a": {"x": 1}, "b": {"x": 1, "y": 2, "z": 0}, "c": {"x": 0}}
    parts = sweep.by_relevant(judged)
    assert list(parts) == ["at least 1", "at least 2"]
    assert set(parts["at least 1"]) == {"a", "b"}
    assert set(parts["at least 2"]) == {"b"}


def test_curves_are_drawn_where_matplotlib_is_and_missed_where_not(tmp_path):
    sweeps = {"minilm": sweep.measured(FOUND, JUDGED)}
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        with pytest.raises(MissingExtra, match="plots"):
            sweep.plot(sweeps, tmp_path)
        return
    for path in sweep.plot(sweeps, tmp_path):
        assert path.read_text("utf-8").lstrip().startswith("<?xml")


def test_a_sweep_over_a_library_keeps_the_plain_order_at_an_unreachable_threshold(library):
    library.embed()
    found = sweep.runs(library.searcher, {"q": "asthma near roads"}, thresholds=(1, 99))
    assert list(found) == [0, 1, 99]
    plain, high = found[0]["q"], found[99]["q"]
    assert sorted(plain, key=plain.get) == sorted(high, key=lambda d: (high[d], plain[d]))


def test_subsets_stand_in_a_table_with_the_gain_of_each():
    judged = {"a": {"y": 1, "x": 1}, "b": {"y": 1, "x": 0}}
    parts = sweep.by_relevant(judged)
    subsets = {"minilm": {label: sweep.measured(FOUND, part) for label, part in parts.items()}}
    lines = sweep.subset_tables(judged, subsets, {"minilm": 1})
    assert lines[2:4] == ["| at least 1 | 2 | 3 |", "| at least 2 | 1 | 2 |"]
    # Of the question with two relevant papers both orders are perfect; of the other one the only
    # relevant paper rises from the second place (1 / log2(3)) to the first.
    plain = (1 + 1 / 1.5849625007211562) / 2
    assert lines[-3] == f"| minilm | plain | {plain:.4f} | 1.0000 |"
    assert lines[-2] == "| minilm | threshold 1 | 1.0000 | 1.0000 |"
    assert lines[-1] == f"| minilm | gain | +{100 * (1 - plain) / plain:.1f} % | +0.0 % |"
