"""The recipe ``rdoc``: its parts on text of our own, its data where it is at hand."""

import os
from pathlib import Path

import numpy as np
import pytest

from osler.recipes.rdoc import cut, read_rows
from osler.recipes.rdoc_tables import corrected_t, table


def data_folder():
    given = os.environ.get("OSLER_DATA")
    folder = Path(given) if given else Path(__file__).parents[3] / "shared" / "data"
    if not (folder / "rdoc" / "train.jsonl.gz").exists():
        pytest.skip("the data set rdoc is not here: set OSLER_DATA")
    return folder


def cuts(text):
    return [text[start:end] for start, end in cut(text)]


def test_cut_as_the_data_set_does():
    assert cuts("Mice slept. Rats did not (e.g. at night). Why?") == [
        "Mice slept.",
        "Rats did not (e.g.",
        "at night).",
        "Why?",
    ]
    assert cuts("It took 4.9 h. The rest (1 vs. 2) slept. ") == [
        "It took 4.9 h. The rest (1 vs. 2) slept."
    ]
    assert cuts("") == []


def test_nearly_every_chosen_sentence_is_one_of_ours():
    rows = read_rows(data_folder() / "rdoc" / "train.jsonl.gz")
    chosen = [(set(cuts(row["abstract"])), s) for row in rows for s in row["relevant_sentences"]]
    assert sum(sentence.strip() in ours for ours, sentence in chosen) >= 0.99 * len(chosen)


def test_corrected_t_is_stricter_than_the_plain_one():
    from scipy.stats import ttest_rel

    rng = np.random.default_rng(0)
    first, second = rng.normal(0.9, 0.03, 15), rng.normal(0.88, 0.03, 15)
    assert corrected_t(first, second) > ttest_rel(first, second).pvalue
    assert corrected_t(first, second, share=0.0) == pytest.approx(ttest_rel(first, second).pvalue)
    assert corrected_t(first, first) == 1.0


def test_table():
    assert table(("a", "b"), [("1", "2")]) == ["| a | b |", "| --- | --- |", "| 1 | 2 |"]


def test_background_is_drawn_with_the_constructs_words():
    from osler.rank.topic import Topic
    from osler.recipes.rdoc_background import draw_background

    folder = data_folder()
    if not (folder / "ohsumed_cat" / "docs.jsonl.gz").exists():
        pytest.skip("the data set ohsumed_cat is not here")
    pool = draw_background(folder, [Topic("Loss"), Topic("Arousal")])
    assert 220 <= len(pool) <= 280
    with_word = sum("loss" in text.lower() for text in pool.texts)
    assert with_word >= 40
