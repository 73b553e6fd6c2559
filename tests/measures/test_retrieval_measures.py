"""Measures of retrieval equal trec_eval's; the paper's own nDCG equals its equation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from osler.errors import ChoiceError, InputError, LimitError
from osler.measures.retrieval import (
    DEFAULT,
    evaluate,
    names,
    per_query,
    trec_order,
)
from osler.measures.trec import read_run, write_run

pytrec_eval = pytest.importorskip("pytrec_eval")

NAMES = {
    "nDCG@5": "ndcg_cut_5",
    "nDCG@10": "ndcg_cut_10",
    "nDCG": "ndcg",
    "P@3": "P_3",
    "P@10": "P_10",
    "R@5": "recall_5",
    "AP": "map",
    "AP@5": "map_cut_5",
    "RR": "recip_rank",
    "Rprec": "Rprec",
    "Bpref": "bpref",
    "Success@1": "success_1",
    "SetP": "set_P",
    "NumRet": "num_ret",
}

documents = st.sampled_from([f"d{i}" for i in range(12)] + ["文", "D1"])
# Few distinct values, some of which only double precision can tell apart: many ties.
tied = st.sampled_from([0.0, 0.5, 1.0, 1.0 + 1e-9, 1.0 - 1e-9, 2.0, -1.0])


@settings(max_examples=200, deadline=None)
@given(
    qrels=st.dictionaries(
        st.sampled_from(["q1", "q2", "q3"]),
        st.dictionaries(documents, st.integers(0, 4), min_size=1),
        min_size=1,
    ),
    run=st.dictionaries(
        st.sampled_from(["q1", "q2", "q3", "q4"]),
        st.dictionaries(documents, tied | st.floats(-5, 5), min_size=1),
    ),
)
def test_every_measure_equals_trec_eval(
    qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]]
) -> None:
    theirs = pytrec_eval.RelevanceEvaluator(qrels, set(NAMES.values())).evaluate(run)
    ours = per_query(qrels, run, list(NAMES))
    for name, trec_name in NAMES.items():
        assert set(ours[name]) == set(qrels)
        for query in qrels:
            expected = theirs.get(query, {}).get(trec_name, 0.0)
            assert ours[name][query] == pytest.approx(expected, abs=1e-12), (name, query)


def test_means_run_over_the_qrels() -> None:
    qrels = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 0}}
    run = {"q1": {"a": 1.0}, "elsewhere": {"b": 1.0}}
    assert evaluate(qrels, run, ["P@1", "RR"]) == {"P@1": 1 / 3, "RR": 1 / 3}
    assert per_query(qrels, run, ["RR"]) == {"RR": {"q1": 1.0, "q2": 0.0, "q3": 0.0}}
    assert evaluate(qrels, {}, ["AP"]) == {"AP": 0.0}
    assert evaluate(qrels, {"q1": {}}, list(DEFAULT)) == dict.fromkeys(DEFAULT, 0.0)


def test_the_ndcg_of_the_paper_by_hand() -> None:
    qrels = {"q": {"a": 3, "b": 2, "c": 1, "d": -1}}
    run = {"q": {"c": 4.0, "x": 3.0, "a": 2.0, "d": 1.0, "b": 0.5}}
    # Eq. 4: rel_1 + sum of rel_i / log2(i), from i = 2; grades in order 1 0 3 0 2.
    found = 1 + 0 / 1 + 3 / math.log2(3) + 0 + 2 / math.log2(5)
    ideal = 3 + 2 / 1 + 1 / math.log2(3)
    values = evaluate(qrels, run, ["nDCG-paper", "nDCG-paper@3", "nDCG-paper@1"])
    assert values["nDCG-paper"] == pytest.approx(found / ideal)
    assert values["nDCG-paper@3"] == pytest.approx((1 + 3 / math.log2(3)) / ideal)
    assert values["nDCG-paper@1"] == pytest.approx(1 / 3)
    # The first two ranks are not discounted: swapping them changes nothing here, but there.
    swapped = {"q": {"x": 4.0, "c": 3.0, "a": 2.0, "d": 1.0, "b": 0.5}}
    assert evaluate(qrels, swapped, ["nDCG-paper"])["nDCG-paper"] == values["nDCG-paper"]
    assert evaluate(qrels, swapped, ["nDCG"]) != evaluate(qrels, run, ["nDCG"])
    assert evaluate({"q": {"a": 0}}, run, ["nDCG-paper@10"]) == {"nDCG-paper@10": 0.0}


def test_ties_fall_as_trec_eval_has_them_and_a_written_run_has_none(tmp_path) -> None:  # type: ignore[no-untyped-def]
    qrels = {"q": {"a": 1}}
    run = {"q": {"a": 1.0, "b": 1.0 + 1e-12}}
    assert trec_order(run["q"]) == ["b", "a"]
    assert trec_order({"a": 1.0, "b": 1.0}) == ["b", "a"]
    measures = ["P@1", "RR", "RR@10", "Judged@1", "nDCG-paper@1"]
    assert set(evaluate(qrels, {"q": {"a": 1.0, "b": 1.0}}, measures).values()) == {0.0, 0.5}
    write_run(tmp_path / "r", {"q": {"a": 1.0, "b": 1.0}})
    assert set(evaluate(qrels, read_run(tmp_path / "r"), measures).values()) == {1.0}


def test_trec_order_is_single_precision() -> None:
    scores = {"a": 1.0 + 1e-9, "b": 1.0, "c": 1.0 + 1e-6}
    assert np.float32(scores["a"]) == np.float32(scores["b"])
    assert trec_order(scores) == ["c", "b", "a"]


def test_parameters_and_counts() -> None:
    qrels = {"q": {"a": 1, "b": 2}, "r": {"c": 2}}
    run = {"q": {"a": 2.0, "b": 1.0}, "r": {"c": 1.0}}
    found = evaluate(qrels, run, ["P(rel=2)@1", "NumRel", "NumQ", "nDCG(gains={1:0})@1", "RR@1"])
    assert found == {
        "P(rel=2)@1": 0.5,
        "NumRel": 3.0,
        "NumQ": 2.0,
        "nDCG(gains={1:0})@1": 0.5,
        "RR@1": 1.0,
    }


@pytest.mark.parametrize("name", ["nope", "nDCG@", "nDCG 10", "__import__('os')", "P@-1", ""])
def test_a_wrong_name_lists_the_choices(name: str) -> None:
    with pytest.raises(ChoiceError, match="choices: AP, "):
        evaluate({"q": {"a": 1}}, {}, [name])


@pytest.mark.parametrize(
    "name",
    ["P", "P@0", "P@1.5", "AP(rel=0)", "AP(rel='a')", "P(x=1)@3", "IPrec@2", "SetF(beta=0)"]
    + ["nDCG-paper@0", "ERR@10", "nDCG(dcg='exp-log2')@5", "P@99999999", "nDCG(gains={1:-1})"],
)
def test_a_wrong_parameter_is_refused_before_it_reaches_c_code(name: str) -> None:
    with pytest.raises(InputError):
        evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, [name])


def test_grades_that_would_harm_trec_eval() -> None:
    assert evaluate({"q": {"a": -1}}, {"q": {"a": 1.0}}, ["AP", "nDCG@10"]) == {
        "AP": 0.0,
        "nDCG@10": 0.0,
    }
    with pytest.raises(LimitError):
        evaluate({"q": {"a": 10_001}}, {}, ["AP"])
    with pytest.raises(InputError, match="no judgements"):
        evaluate({}, {}, ["AP"])


def test_every_name_can_be_asked_for() -> None:
    assert {"nDCG", "nDCG-paper", "AP", "P", "R", "RR"} <= set(names())
    qrels, run = {"q": {"a": 1}}, {"q": {"a": 1.0}}
    for name in names():
        for form in (name, f"{name}@1", f"{name}@0.5"):
            try:
                value = evaluate(qrels, run, [form])[form]
            except InputError:
                continue
            assert math.isfinite(value)
            break
        else:
            pytest.fail(f"{name} can be computed in no form")
