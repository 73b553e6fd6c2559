"""The default: what it learns, what it says, how it does without training, graph or jieba."""

from __future__ import annotations

import numpy as np
import pytest

from osler.errors import InputError, LimitError
from osler.kinds import EntityPair, PathReason, ScoreParts
from osler.match.alignment import Alignment, canonical
from osler.match.answer_features import ALIGNMENT
from osler.match.combine import learn
from osler.match.default import Default
from osler.match.job import match
from osler.match.lexicon import Lexicon
from osler.match.matcher import Candidate, Sources
from osler.match.texts import Texts, checked


def candidates(pairs):
    return [Candidate(pair.id, pair.answer) for pair in pairs]


def first_place(matcher, pairs):
    """How often the true answer comes first among all."""
    every = candidates(pairs)
    right = 0
    for at, pair in enumerate(pairs):
        right += int(np.argmax(matcher.scores(pair.question, every))) == at
    return right / len(pairs)


def test_training_beats_fixed_weights(sources, pairs):
    # Each disease's answers to two kinds of question are held out.
    held = [pair for pair in pairs if pair.id.endswith(("drug", "test"))][:8]
    rest = [pair for pair in pairs if pair not in held]
    untrained = first_place(Default(sources), held)
    trained = first_place(Default(sources, tune=False).fit(rest), held)
    assert untrained >= 0.3
    assert trained >= untrained


def test_the_parts_of_a_score_sum_to_it(sources, pairs):
    matcher = Default(sources, tune=False).fit(pairs)
    ranking = match(matcher, pairs[7].question, candidates(pairs), k=5)
    for hit in ranking.hits:
        parts = next(r for r in hit.reasons if isinstance(r, ScoreParts))
        assert sum(parts.contributed.values()) == pytest.approx(hit.score, abs=1e-4)


def test_what_weights_learn_from_was_described_by_others(sources, pairs):
    """Lists that are described by models which saw them would look better than new ones do."""
    matcher = Default(sources, tune=False)
    made = matcher.cross_fitted(pairs, negatives=3)
    assert sum(made.sizes) == len(made.rows)
    assert made.rows.shape[1] == len(made.names)
    fitted = matcher.fit(pairs)
    assert fitted.features.names == made.names
    column = made.names.index("alignment")
    starts = np.concatenate([[0], np.cumsum(made.sizes)[:-1]]).astype(int)
    seen = [fitted.features.matrix(p.question, [p.answer])[0, column] for p in pairs]
    assert made.rows[starts, column].mean() < np.mean(seen)


def test_what_each_side_says_first_is_read_by_itself(sources, pairs):
    features = Default(sources, tune=False).fit(pairs).features
    pair = pairs[0]
    longer = f"{pair.question}。{pairs[9].question}"
    whole, asked, told = (features.names.index(name) for name in ALIGNMENT)
    alone = features.matrix(pair.question, [pair.answer])[0]
    first = features.matrix(longer, [f"{pair.answer}。{pairs[9].answer}"])[0]
    plain = features.matrix(pair.question, [f"{pair.answer}。{pairs[9].answer}"])[0]
    assert first[whole] != pytest.approx(alone[whole], abs=1e-3)
    assert plain[told] == pytest.approx(alone[told], abs=1e-5)
    assert features.matrix(longer, [pair.answer])[0, asked] == pytest.approx(alone[asked], abs=1e-5)


def test_entities_and_paths_are_told(sources, pairs):
    ranking = match(Default(sources), pairs[1].question, candidates(pairs)[1:2])
    reasons = ranking.hits[0].reasons
    found = [r for r in reasons if isinstance(r, EntityPair)]
    assert ("胃炎", "胃镜") in {(r.question_name, r.answer_name) for r in found}
    paths = [r for r in reasons if isinstance(r, PathReason)]
    assert any(step.relation == "检查项目" for r in paths for step in r.path.steps)


def test_english_and_no_graph(encoder):
    asked = "What are the treatments for asthma?"
    answers = [
        Candidate("1", "Asthma is treated with inhaled steroids."),
        Candidate("2", "A broken bone needs a cast for six weeks."),
        Candidate("3", "Gout is treated with allopurinol."),
    ]
    for load in (None, lambda: encoder):
        ranking = match(Default(Sources(load_encoder=load)), asked, answers)
        assert ranking.hits[0].id == "1"
        assert len(ranking.hits) == 3


def test_many_answers_are_encoded_in_part(encoder):
    answers = [Candidate(str(n), f"Asthma number {n} and steroids.") for n in range(300)]
    matcher = Default(Sources(load_encoder=lambda: encoder))
    scores = matcher.scores("asthma number 7", answers)
    assert int(np.argmax(scores)) == 7
    assert encoder.encoded <= 66


def test_without_jieba_bigrams_serve(known, pairs):
    sources = Sources(texts=Texts(known.names, by="bigrams"), known=known)
    assert sources.texts.words("高血压头晕") == ("高血", "血压", "压头", "头晕")
    assert first_place(Default(sources), pairs[:10]) >= 0.2


def test_names_of_the_graph_stay_whole(sources):
    words = sources.texts.words("硝苯地平治高血压吗")
    assert "硝苯地平" in words
    assert "高血压" in words


def test_ties_are_broken_by_id(sources):
    same = [Candidate(id, "多喝水") for id in ("b", "a", "c")]
    assert [hit.id for hit in match(Default(sources), "感冒怎么办", same).hits] == ["a", "b", "c"]


def test_a_question_without_entities_is_answered_by_words(sources):
    ranking = match(Default(sources), "天气冷", [Candidate("1", "天气冷"), Candidate("2", "书")])
    assert ranking.hits[0].id == "1"
    assert any("names no entity" in note for note in ranking.notes)


def test_bad_questions_are_refused(sources, monkeypatch):
    for question in ("", "   \n"):
        with pytest.raises(InputError, match="empty"):
            match(Default(sources), question, [Candidate("1", "a")])
    monkeypatch.setenv("OSLER_MAX_FIELD", "100")
    with pytest.raises(LimitError):
        checked("问" * 101)
    with pytest.raises(InputError):
        match(Default(sources), "a", [], k=0)


def test_too_few_pairs_are_refused(sources, pairs):
    with pytest.raises(InputError, match="too few"):
        Default(sources).fit(pairs[:5])


def test_weights_find_the_column_that_tells():
    rng = np.random.default_rng(0)
    sizes = [5] * 200
    rows = rng.normal(size=(1000, 3))
    rows[::5, 1] += 1.5
    rows[::5, 2] -= 1.0
    learned = learn(rows, sizes, floor=[2])
    assert learned.weights[1] > 1.0
    assert abs(learned.weights[0]) < 0.3
    assert learned.weights[2] == 0.0


def test_canonical_directions_meet():
    rng = np.random.default_rng(0)
    shared = rng.normal(size=(500, 2))
    left = np.concatenate([shared, rng.normal(size=(500, 3))], 1) @ rng.normal(size=(5, 5))
    right = np.concatenate([rng.normal(size=(500, 3)), shared], 1) @ rng.normal(size=(5, 5))
    turned, other = (
        rows @ turn for rows, turn in zip((left, right), canonical(left, right), strict=True)
    )
    strength = np.corrcoef(turned[:, 0], other[:, 0])[0, 1]
    assert strength > 0.95


def test_alignment_joins_words_that_answer_each_other(sources, pairs):
    lexicon = Lexicon.build(sources.texts.words, [t for p in pairs for t in (p.question, p.answer)])
    aligned = Alignment.fit([lexicon], pairs, tune=False)
    question = "黄疸怎么办"
    scores = aligned.cosine(question, ["恩替卡韦", "沙丁胺醇", "二甲双胍"])
    assert int(np.argmax(scores)) == 0


def test_bm25_is_the_formula():
    lexicon = Lexicon.build(str.split, ["a b", "a c c", "d"])
    scores = lexicon.bm25(lexicon.row("c c x"), lexicon.rows(["a c c", "d"]))
    idf = np.log(1 + (3 - 1 + 0.5) / 1.5)
    room = 1.2 * (0.25 + 0.75 * 3 / 2)
    assert scores.tolist() == pytest.approx([2 * idf * 2 * 2.2 / (2 + room), 0.0])
