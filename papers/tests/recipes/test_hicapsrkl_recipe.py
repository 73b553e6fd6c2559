"""The recipe's own parts: quick measures, weak pairs out of small made data."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("sklearn")

from osler.errors import InputError
from osler.grade.pair import Fact, Pair
from osler.measures.classification import precision_recall_f1
from osler_papers.recipes.hicapsrkl import chosen
from osler_papers.recipes.hicapsrkl_data import sample, weak_pairs
from osler_papers.recipes.hicapsrkl_methods import cheap
from osler_papers.recipes.hicapsrkl_tables import Scored, drawn_p, macro_f1, paired_p, published_p

HEAD = (
    "label\tMedL\tK_str\tK_idx\tRCor_score\tRCor_text_fragment\tKImp_score\tKImp_text_fragment"
    "\tkeywords\tMedL_id\tbk_location"
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for name in ("hicapsrkl_sample", "kg_zh", "csl_medicine"):
        (tmp_path / name).mkdir()
    paper = "甲药治疗乙病.甲药治疗乙病有效.乙病伴丙痛"
    cells = ["0", paper, "甲药,适应症,乙病", "1,2,3", "3", "甲药治疗乙病", "3", "x"]
    row = "\t".join([*cells, "甲药%乙病", "7", "1"])
    for file in ("train.tsv", "retrieval_test.tsv"):
        (tmp_path / "hicapsrkl_sample" / file).write_text(f"{HEAD}\n{row}\n", encoding="utf-8")
    triples = (
        "head\thead_type\trelation\ttail\ttail_type\tsource\n乙病\t疾病\t症状\t丙痛\t症状\tx\n"
    )
    (tmp_path / "kg_zh" / "triples.tsv.gz").write_bytes(gzip.compress(triples.encode()))
    other = {"_id": "1", "title": "乙病的丙痛", "text": "乙病出现丙痛.", "keywords": ["乙病"]}
    (tmp_path / "csl_medicine" / "corpus.jsonl").write_text(
        json.dumps(other, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    return tmp_path


def test_weak_pairs_come_from_the_graph(data: Path) -> None:
    rows, retrieval = sample(data)
    assert (rows[0].rcor, rows[0].kimp, rows[0].label) == (3, 3, "0")
    pairs = weak_pairs(data, [*rows, *retrieval])
    assert {pair.fact.text for pair in pairs} == {"乙病,临床症状及体征,丙痛"}
    assert {pair.paper_id for pair in pairs} == {"csl 1"}
    assert all(pair.label in "01234" for pair in pairs if pair.label)


def test_weak_pairs_know_nothing_of_the_sample(data: Path) -> None:
    """No paper (titles differ by a full stop) and no two entities, whichever is the head."""
    rows, _ = sample(data)
    paper = Pair(Fact("丁", "症状", "戊"), "乙病的丙痛.", "", paper_id="99")
    turned = Pair(Fact("丙痛", "相关", "乙病"), "另一篇", "", paper_id="98")
    assert weak_pairs(data, [*rows, paper]) == []
    assert weak_pairs(data, [*rows, turned]) == []


def test_quick_macro_f1_is_macro_f1() -> None:
    rng = np.random.default_rng(0)
    gold, called = rng.integers(0, 4, 60), rng.integers(0, 4, 60)
    slow = precision_recall_f1(gold.tolist(), called.tolist(), labels=[0, 1, 2, 3]).f1
    assert macro_f1(gold, called, 4) == pytest.approx(slow)


def test_better_is_better() -> None:
    gold = np.tile(np.arange(5), 20)
    right = np.eye(5)[gold]
    wrong = np.eye(5)[(gold + (np.arange(100) % 3 == 0)) % 5]
    first, second = Scored(gold, [right]), Scored(gold, [wrong])
    assert first.macro() == first.micro() == first.macro(raw=True) == 1.0
    assert first.sides() == (1.0, 1.0)
    half = Scored(np.array([0, 4]), [np.array([[0.0, 0.5, 0, 0.3, 0.2], [0.1, 0, 0.2, 0.3, 0.4]])])
    assert half.sides() == (1.0, 0.5)  # RCor 3, 2; KImp 1 (0.5 against 0.5) or 2, and 1
    low, high = second.interval()
    assert low < second.macro() < high
    assert paired_p(first, second) < 0.05
    assert published_p(first, second) < 0.05
    assert paired_p(first, first) == 1.0
    assert drawn_p(first, second) < 0.05
    # One seed of three is right: over pairs the three are surely above, another three may not be.
    mixed, none = Scored(gold, [right, wrong, wrong]), Scored(gold, [wrong, wrong, wrong])
    assert paired_p(mixed, none) < 0.05 < drawn_p(mixed, none)


def test_a_row_that_nobody_knows_is_said() -> None:
    methods = cheap({})
    assert chosen(methods, ()) == methods
    assert [one.name for one in chosen(methods, ("rule", "constant"))] == ["constant", "rule"]
    with pytest.raises(InputError, match="no row is called rules"):
        chosen(methods, ("rule", "rules"))
