"""The recipe ``rdoc``: its parts on text of our own, its data where it is at hand."""

import os
from pathlib import Path

import numpy as np
import pytest

from osler_papers.recipes.kept import Kept
from osler_papers.recipes.rdoc import cut, read_rows
from osler_papers.recipes.rdoc_tables import (
    corrected_t,
    counts_table,
    holds,
    of_mean,
    one_split,
    table,
)


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


def test_the_vectors_are_of_the_encoder_that_is_named(monkeypatch, tmp_path):
    from osler.errors import MissingModel
    from osler.text import encoder
    from osler_papers.recipes.rdoc import cached_encoder

    class Made:
        def __init__(self, name):
            self.fingerprint = name

        def encode(self, texts):
            return np.full((len(texts), 2), float(len(self.fingerprint)))

    def load(name):
        if name in ("absent", "none of ours"):
            raise MissingModel(f"{name} is not here", cure="fetch it")
        return Made(name)

    monkeypatch.setattr(encoder, "load_encoder", load)
    path, said = tmp_path / "vectors.safetensors", []
    for name in ("one", "another"):
        encode = cached_encoder(path, said.append, name)
        assert encode.fingerprint == name
        # Vectors that the file keeps of another encoder are not taken for its.
        assert encode(["a text"]).tolist() == [[len(name), len(name)]]
    monkeypatch.setattr(encoder, "DEFAULT", "absent")
    assert cached_encoder(path, said.append) is None
    assert said
    both = cached_encoder(path, said.append, "one+another")
    # 3 and 3 by the first, 7 and 7 by the second: each of length one, then both together.
    assert both(["a text"])[0] == pytest.approx([0.5, 0.5, 0.5, 0.5])
    assert both.fingerprint == "one another"
    # The default may be absent, for it was not asked for; one that was named must be here.
    with pytest.raises(MissingModel):
        cached_encoder(path, said.append, "none of ours")


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


def test_one_more_split_falls_within_as_often_as_said():
    rng = np.random.default_rng(0)
    hits = []
    for _ in range(2000):
        values = rng.normal(0.5, 0.05, 16)
        low, high = one_split(values[:15])
        hits.append(low <= values[15] <= high)
    assert np.mean(hits) == pytest.approx(0.95, abs=0.015)


def test_interval_of_the_mean_by_hand():
    from scipy.stats import t

    values = np.array([0.5, 0.6, 0.55, 0.45])
    half = t.ppf(0.975, 3) * values.std(ddof=1) * np.sqrt(1 / 4 + 57 / 209)
    assert of_mean(values) == pytest.approx((0.525 - half, 0.525 + half))
    # Narrower than where one more split falls.
    assert of_mean(values)[1] < one_split(values)[1]


def test_holds():
    values = np.array([0.5, 0.6, 0.55, 0.45])
    low, high = of_mean(values)
    assert low < 0.525 < high
    assert holds(values, 0.53) == "yes"
    assert holds(values, high + 0.001) == "one split"
    assert holds(values, 0.9) == "no"
    assert holds(values, None) == ""
    assert one_split(np.array([0.9, 1.0, 1.0]))[1] == 1.0


def test_words_stand_in_where_the_papers_vectors_are_absent(monkeypatch, tmp_path):
    from osler_papers.recipes import rdoc_words

    def second():
        return rdoc_words.second_vectors(texts, folder=tmp_path, stamp="s", progress=said.append)

    said = []

    monkeypatch.setattr(rdoc_words, "pubmed_texts", list)
    texts = ["Mice slept at night. " * 5, "Rats feared the shock. " * 5]
    vectors, name = second()
    assert vectors.dimension == rdoc_words.WORD2VEC
    assert name == "word2vec of the set's abstracts"
    monkeypatch.setattr(rdoc_words, "pubmed_texts", lambda: ["Voles slept by day. " * 5] * 3)
    vectors, name = second()
    assert np.abs(vectors.vectors(["voles"])).sum() > 0
    assert "3 PubMed abstracts" in name
    trained = len(said)
    again, _ = second()
    # Kept: nothing is trained a second time.
    assert len(said) == trained
    assert np.array_equal(again.vectors(["voles"]), vectors.vectors(["voles"]))
    monkeypatch.setattr(rdoc_words, "pubmed_texts", lambda: ["Voles slept by day. " * 5] * 4)
    assert "4 PubMed abstracts" in second()[1]
    assert len(said) == trained + 1


def test_nested_settings_are_chosen_by_the_training_part(monkeypatch, tmp_path):
    from osler.kinds import Document, Section
    from osler.rank.sentence_ranker import Abstract
    from osler.rank.topic import Topic
    from osler_papers.recipes import rdoc_nested

    made = []
    for number in range(20):
        picked = f"Our results suggest that sleep {number} matters."
        text = f"Background of mice. {picked} They ate. They drank."
        document = Document(id=str(number), title="A title", sections=(Section(text),))
        made.append(Abstract(document, Topic("Sleep"), relevant=[picked]))
    targets = np.repeat([0, 1], 10)
    seen = []
    real = rdoc_nested.choose

    def watched(abstracts, own):
        seen.append({abstract.document.id for abstract in abstracts})
        return real(abstracts, own)

    few = list(rdoc_nested.repeated(targets))[:3]
    monkeypatch.setattr(rdoc_nested, "repeated", lambda targets: few)
    monkeypatch.setattr(rdoc_nested, "choose", watched)
    monkeypatch.setattr(rdoc_nested, "SETTINGS", rdoc_nested.SETTINGS[:2])
    kept = Kept(tmp_path / "splits.jsonl", "stamp")
    values, picked = rdoc_nested.nested(made, targets, kept=kept, progress=lambda text: None)
    assert values.shape == (3,)
    assert values.mean() > 0.9
    assert all(len(ids) == 16 for ids in seen)
    assert picked[0] == 3
    # A run that was broken off goes on: what is kept is not worked out again.
    kept = Kept(tmp_path / "splits.jsonl", "stamp")
    again, _ = rdoc_nested.nested(made, targets, kept=kept, progress=lambda text: None)
    assert len(seen) == 3
    assert np.array_equal(again, values)


def test_counts_beside_the_published_ones():
    lines = counts_table(list("abcdefgh"), {"all": [0] * 39 + [1] * 5, "ours": [7]})
    assert lines[4].startswith("| all | 39 | 5 (38) | 0 (47) |")
    assert lines[4].endswith("| 44 |")
    assert lines[5] == "| ours | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 1 |"


def test_table():
    assert table(("a", "b"), [("1", "2")]) == ["| a | b |", "| --- | --- |", "| 1 | 2 |"]


def test_retrieved_abstracts_use_the_words_and_are_about_something_else(tmp_path):
    import json

    from osler.text.tokens import terms
    from osler_papers.recipes.rdoc_retrieved import Words, read_set

    rows = [
        {"_id": "a", "title": "Hearing", "text": "hearing loss and loss of sleep"},
        {"_id": "b", "title": "Loss of a child", "text": "loss and grief"},
        {"_id": "c", "title": "Diet", "text": "some weight loss"},
        {"_id": "d", "title": "Alloys", "text": "corrosion of steel"},
    ]
    path = tmp_path / "docs.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    documents = read_set(path, "set")
    assert [document.id for document in documents] == ["set a", "set b", "set c", "set d"]
    # The title of the second says that it is about loss; the fourth does not use the word.
    by_words, query = Words(documents), set(terms("Loss"))
    assert by_words.near_misses(query) == [0, 2]
    assert by_words.near_misses(query, most=1) == [0]


def test_draws_put_ties_against_the_relevant_ones():
    from osler_papers.recipes.rdoc_retrieved import _drawn

    rng = np.random.default_rng(0)
    scored = {"same": np.ones(10), "right": np.arange(10.0)[::-1], "wrong": np.arange(10.0)}
    drawn = _drawn(scored, 2, 8, rng)
    assert drawn["right"] == 1.0
    # One other is drawn to four relevant ones at most, and stands before both: (1/2 + 2/3) / 2.
    assert drawn["same"] == drawn["wrong"] == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert drawn["wrong"] < drawn["random"] < 1


def test_a_ranker_is_held_against_the_dumb_rows():
    from osler_papers.recipes.rdoc_retrieved import DUMB, OURS, _told

    rng = np.random.default_rng(0)
    rows = {(name, source): 0.6 + rng.normal(0, 0.01, 15) for name in DUMB for source in "ab"}
    for source in "ab":
        rows[OURS, source] = 0.9 + rng.normal(0, 0.01, 15)
        rows["random", source] = np.full(15, 0.5)
    results, lines = _told(rows, ["a", "b"])
    assert results["retrieved mAP above random"] == pytest.approx(0.4, abs=0.01)
    assert all(results[f"retrieved mAP over {name} p"] < 0.001 for name in DUMB)
    assert lines[4].startswith(f"| {OURS} |")


def test_the_share_of_a_cluster_below():
    from osler_papers.recipes.rdoc_clusters import placed

    cluster = np.array([0.1, 0.2, 0.2, 0.9])
    assert placed(np.array([0.0, 0.2, 0.5, 1.0]), cluster) == pytest.approx([0, 0.5, 0.75, 1])


def test_a_gap_among_unlabelled_abstracts_is_the_labelled_one_made_small():
    from osler_papers.recipes.rdoc_clusters import placed

    rng = np.random.default_rng(0)
    relevant, drawn, other = rng.normal(1, 1, 4000), rng.normal(1, 1, 1600), rng.normal(0, 1, 400)
    truth = placed(relevant, other).mean()
    seen = placed(relevant, np.concatenate([drawn, other])).mean()
    assert seen == pytest.approx(0.8 / 2 + 0.2 * truth, abs=0.015)


def test_the_p_of_a_gap_holds_its_level_and_finds_what_is_there():
    from osler_papers.recipes.rdoc_clusters import gap

    rng = np.random.default_rng(1)
    sizes = (19, 26, 30, 35, 34, 34, 30, 36)

    def p(shift):
        first = [rng.uniform(0, 1, size) for size in sizes]
        second = [np.asarray(own + rng.normal(-shift, 0.2, len(own))) for own in first]
        return gap(first, second)[1]

    assert np.mean([p(0.0) < 0.05 for _ in range(400)]) == pytest.approx(0.055, abs=0.035)
    assert np.mean([p(0.05) < 0.05 for _ in range(100)]) > 0.9
    by_hand = gap([np.array([0.5, 0.7])], [np.array([0.4, 0.4])])
    # Gaps 0.1 and 0.3: mean 0.2, variance of the mean 0.02 / 2, z = 2.
    assert by_hand == pytest.approx((0.2, 0.0455), abs=1e-4)
    same = [np.array([0.5, 0.7])]
    assert gap(same, same) == (0.0, 1.0)


def test_the_task_is_measured_without_its_labels():
    from osler.kinds import Document, Section
    from osler.rank.pool import Pool
    from osler.rank.topic import Topic
    from osler_papers.recipes.rdoc_clusters import measure_clusters

    rng = np.random.default_rng(0)
    middles = {"fear": (4, 0, 0), "loss": (0, 4, 0), "none": (0, 0, 4)}

    def pool_of(kinds):
        documents = [
            Document(id=f"{number}", title=f"{kind} {number % 3}", sections=(Section(kind),))
            for number, kind in enumerate(kinds)
        ]
        return Pool(documents, vectors=np.array([rng.normal(middles[k], 1) for k in kinds]))

    topics = [Topic("Fear"), Topic("Loss")]
    cluster = ["fear"] * 12 + ["none"] * 4 + ["loss"] * 12 + ["none"] * 4
    results, lines = measure_clusters(
        pool_of(["fear"] * 12 + ["loss"] * 12),
        np.repeat([0, 1], 12),
        topics,
        pool_of(["none"] * 20),
        (pool_of(cluster), np.repeat([0, 1], 16)),
        (pool_of(["fear"] * 8 + ["loss"] * 8), np.repeat([0, 1], 8)),
        lambda texts: np.array([middles["fear"], middles["loss"]], dtype=float)[: len(texts)],
    )
    # Twelve of sixteen are relevant: 0.75 / 2 + 0.25.
    assert results["cluster place, about"] == pytest.approx(0.625, abs=0.1)
    assert results["cluster place over SVM p"] <= 1
    assert any(line.startswith("| about |") for line in lines)
