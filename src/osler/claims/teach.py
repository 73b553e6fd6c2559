"""Teaching the heads. All of it takes a minute or two on one core and needs no network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from osler.claims.about import about_features
from osler.claims.answer import answer_features, side_features
from osler.claims.examples import (
    ABOUT_CLASSES,
    ANSWER_CLASSES,
    SIDE_CLASSES,
    TOPIC_CLASSES,
    TRIAL_CLASSES,
    Example,
    Prompt,
    Question,
    finder_examples,
    kind_of,
    question_examples,
    sideless,
    topic_examples,
    trial_examples,
)
from osler.claims.heads import LinearHead, fit, fit_telling, mean_head
from osler.claims.trial import Features, trial_features
from osler.claims.vectors import fingerprint, vector_features
from osler.claims.weights import Weights

TAUGHT_BY = ("evidence_inference (MIT)", "pubmedqa (MIT)")
SIDE_STRENGTH = 0.01
"""Of the head for claims. Chosen by what carries over from trials to questions and back, not by
what is best among trials: claims that people bring are like neither."""
ASKED_COUNTS = 3.0
"""How much a question that people answered counts beside a claim made from a prompt."""
VECTORS_STRENGTH = 0.007


def teach(
    prompts: Sequence[Prompt], questions: Sequence[Question], *, most: int = 1_200
) -> Weights:
    """All seven heads. ``most`` counted words stay in each, so that the file stays small."""
    finder = teach_finder(questions, most=most)
    sided = [*trial_examples(prompts), *question_examples(questions)]
    return Weights(
        finder=finder,
        trial=teach_trial(prompts, most=most),
        answer=teach_answer(questions, finder, most=most),
        side=teach_side(sided, finder, most=most),
        about=teach_about([*sided, *sideless(prompts, questions)], finder),
        topic=teach_topic(questions, finder),
        vectors=teach_vectors(questions, finder),
        encoder=fingerprint(),
        taught_by=TAUGHT_BY,
    )


def teach_finder(questions: Sequence[Question], *, most: int = 1_200) -> LinearHead:
    """Which sentences conclude."""
    rows, labels = finder_examples(questions)
    return fit(rows, labels, ("conclusion", "other"), strength=0.3, most=most // 4)


def teach_asked(weights: Weights, questions: Sequence[Question], *, most: int = 1_200) -> Weights:
    """The heads for questions taught anew; the others stay as they are."""
    return msgspec.structs.replace(
        weights,
        answer=teach_answer(questions, weights.finder, most=most),
        topic=teach_topic(questions, weights.finder),
        vectors=teach_vectors(questions, weights.finder),
        encoder=fingerprint(),
    )


def teach_sided(
    weights: Weights, prompts: Sequence[Prompt], questions: Sequence[Question], *, most: int = 1_200
) -> Weights:
    """The heads that trials teach taught anew; the others, which they do not, stay as they are."""
    finder = weights.finder
    sided = [*trial_examples(prompts), *question_examples(questions)]
    return msgspec.structs.replace(
        weights,
        trial=teach_trial(prompts, most=most),
        side=teach_side(sided, finder, most=most),
        about=teach_about([*sided, *sideless(prompts, questions)], finder),
    )


def teach_trial(prompts: Sequence[Prompt], *, most: int = 1_200) -> LinearHead:
    """More, less or the same, from every sentence that says so."""
    rows, labels = [], []
    for one in prompts:
        for text in one.texts:
            rows.append(trial_features(one.intervention, one.comparator, one.outcome, text))
            labels.append(one.label)
    return fit(rows, labels, TRIAL_CLASSES, strength=0.1, most=most)


def teach_answer(
    questions: Sequence[Question], finder: LinearHead | None, *, most: int = 1_200
) -> LinearHead:
    """Yes, no or maybe, from the conclusion and from the whole abstract. "Maybe" is rare:
    the three count alike. Two heads in one: plain words, and words by how much they tell."""
    rows: list[Features] = []
    labels: list[str] = []
    for one in questions:
        for text in (one.conclusion, one.abstract):
            rows.append(answer_features(one.question, text, finder=finder))
            labels.append(one.answer)
    return mean_head(
        [
            one(rows, labels, ANSWER_CLASSES, strength=0.1, balanced=1.0, most=most)
            for one in (fit, fit_telling)
        ]
    )


def teach_vectors(questions: Sequence[Question], finder: LinearHead | None) -> LinearHead:
    """Yes, no or maybe from the vectors of the conclusion's sentences. A vector has many numbers
    and each tells little: they are held back far more than features of the rules."""
    rows = [vector_features(one.question, one.conclusion, finder) for one in questions]
    known = [at for at, row in enumerate(rows) if row]
    return fit(
        [rows[at] for at in known],
        [questions[at].answer for at in known],
        ANSWER_CLASSES,
        strength=VECTORS_STRENGTH,
        balanced=1.0,
    )


def teach_topic(questions: Sequence[Question], finder: LinearHead | None) -> LinearHead:
    """Whether a text is of the paper that a question was asked of."""
    examples = topic_examples(questions)
    rows = [about_features(one.claim, one.text, finder=finder) for one in examples]
    return fit(rows, [one.side for one in examples], TOPIC_CLASSES, strength=0.3)


def teach_side(
    examples: Sequence[Example], finder: LinearHead | None, *, most: int = 1_200
) -> LinearHead:
    """Supports or refutes. Each example is shown with its denial as well, and each kind of claim
    (more, less, no effect, a question) has as much weight on one side as on the other: two of three
    claims made of a trial are refuted, which says how they were made and nothing of claims. What
    was asked by people counts for more than what we made of prompts."""
    sided = [one for one in examples if one.side in SIDE_CLASSES]
    counts = Counter((kind_of(one.claim), one.side) for one in sided)
    rows: list[Features] = []
    labels: list[str] = []
    weights: list[float] = []
    for one in sided:
        features = side_features(one.claim, one.text, finder=finder)
        rows += [features, {name: -value for name, value in features.items()}]
        labels += [one.side, "refutes" if one.side == "supports" else "supports"]
        kind = kind_of(one.claim)
        total = sum(counts[kind, side] for side in SIDE_CLASSES)
        weight = total / (2 * counts[kind, one.side]) * (ASKED_COUNTS if kind == "asks" else 1.0)
        weights += [weight, weight]
    return fit(rows, labels, SIDE_CLASSES, strength=SIDE_STRENGTH, most=most, weights=weights)


def teach_about(examples: Sequence[Example], finder: LinearHead | None) -> LinearHead:
    """Whether a text takes a side."""
    rows = [about_features(one.claim, one.text, finder=finder) for one in examples]
    labels = ["none" if one.side == "neutral" else "side" for one in examples]
    return fit(rows, labels, ABOUT_CLASSES, strength=0.3, balanced=0.5)
