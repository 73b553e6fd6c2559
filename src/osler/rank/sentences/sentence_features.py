"""What a sentence looks like beside the others of its paper: place, cues, likeness to the topic."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

import numpy as np

from osler.kinds import Document
from osler.rank.pool import Floats
from osler.rank.sentence_ranker import Abstract
from osler.rank.word_features import STOP_TERMS
from osler.text.tokens import terms

# The parts of a structured abstract, by how their labels begin.
PARTS = (
    re.compile(r"(?:BACKGROUND|INTRODUCTION|CONTEXT)"),
    re.compile(r"(?:OBJECTIVE|AIM|PURPOSE|GOAL)"),
    re.compile(r"(?:METHOD|MATERIAL|DESIGN|PATIENT|SUBJECT|PARTICIPANT)"),
    re.compile(r"(?:RESULT|FINDING)"),
    re.compile(r"(?:CONCLUSION|INTERPRETATION|DISCUSSION|SIGNIFICANCE|IMPLICATION)"),
)
# Beginnings of words that tell what a sentence does: state an aim, a method, a finding, a claim.
CUES = (
    *("we found", "result", "suggest", "conclu", "demonstrat", "indicat", "hypothes", "aim"),
    *("investigat", "examin", "evaluat", "review", "signific", "show", "these", "method"),
    *("measur", "were", "effect", "our", "this stud", "may", "participant", "role", "associat"),
    *("increas", "p <", "p="),
)
PLACES = 6
# Words of one family begin alike where a stemmer keeps them apart: anxiety, anxious.
FAMILY = 4
_DIGIT = re.compile(r"[0-9]")


def places(abstract: Abstract) -> Floats:
    """First, second, third, last, last but one, how far along and its square; then size."""
    n = len(abstract)
    at = np.arange(n)
    along = at / max(n - 1, 1)
    return np.stack(
        [
            at == 0,
            at == 1,
            at == 2,
            at == n - 1,
            at == n - 2,
            along,
            along**2,
            np.full(n, math.log(max(n, 1))),
            np.full(n, n <= 4),
        ],
        axis=1,
    ).astype(float)


def base(abstract: Abstract, idf: Mapping[str, float], default: float) -> Floats:
    """The features of all sentences of a paper, a row each. NaN where there is no vector."""
    n = len(abstract)
    sentences = abstract.sentences
    lower = [sentence.lower() for sentence in sentences]
    sets = [{t for t in sentence_terms if t not in STOP_TERMS} for sentence_terms in abstract.terms]
    title = {t for t in abstract.title_terms if t not in STOP_TERMS}
    asked = list(dict.fromkeys(t for t in terms(abstract.topic.words) if t not in STOP_TERMS))

    def rare(names: set[str]) -> float:
        return sum(idf.get(name, default) for name in names)

    weight = rare(title) or 1.0
    shared = np.array([len(s & title) / max(len(title), 1) for s in sets])
    shared_rare = np.array([rare(s & title) / weight for s in sets])
    used = np.array(
        [sum(sentence_terms.count(t) for t in asked) for sentence_terms in abstract.terms],
        dtype=float,
    )
    part = np.array([sum(t in s for t in asked) / max(len(asked), 1) for s in sets])
    phrase = abstract.topic.words.lower()
    joined = " ".join(asked)
    whole = np.array(
        [
            phrase in text or (len(asked) > 1 and f" {joined} " in f" {' '.join(sentence_terms)} ")
            for text, sentence_terms in zip(lower, abstract.terms, strict=True)
        ],
        dtype=float,
    )
    families = {t[:FAMILY] for t in asked}
    kin = np.array([sum(t[:FAMILY] in families for t in f) for f in abstract.terms], dtype=float)
    described = {t for t in terms(abstract.topic.description) if t not in STOP_TERMS}
    tells = np.array([len(s & described) for s in sets], dtype=float)
    length = np.array([len(s) for s in sets], dtype=float)
    digits = np.array([len(_DIGIT.findall(s)) / max(len(s), 1) for s in sentences])
    if abstract.vectors is not None:
        rows = np.asarray(abstract.vectors, dtype=float)
        like_title, like_paper, like_topic = (
            rows[:n] @ rows[n],
            rows[:n] @ rows[n + 1],
            rows[:n] @ rows[n + 2],
        )
    else:
        like_title = like_paper = like_topic = np.full(n, np.nan)
    columns = [
        places(abstract),
        _parts(abstract),
        np.array([[cue in text for cue in CUES] for text in lower], dtype=float).reshape(n, -1),
        *(
            column[:, None]
            for column in (
                np.log1p(length),
                digits,
                shared,
                shared_rare,
                like_title,
                like_paper,
                like_topic,
                np.log1p(used),
                part,
                whole,
                np.log1p(tells),
                np.log1p(kin),
            )
        ),
        *(
            _within(column)
            for column in (
                shared_rare,
                like_title,
                like_paper,
                like_topic,
                used + 1e-3 * part,
                length,
                tells,
                kin,
            )
        ),
    ]
    return np.concatenate(columns, axis=1)


def _within(values: Floats) -> Floats:
    """How a value stands out in its paper: its standard score, and whether it is the largest."""
    spread = values.std()
    return np.stack(
        [(values - values.mean()) / (spread + 1e-6), values == values.max()], axis=1
    ).astype(float)


def _parts(abstract: Abstract) -> Floats:
    """Which part of a structured abstract a sentence opens, by its label or its section's."""
    labels = _section_labels(abstract.document)
    marks = np.zeros((len(abstract), len(PARTS)))
    for row, ((start, _), sentence) in enumerate(
        zip(abstract.spans, abstract.sentences, strict=True)
    ):
        label = next((name for begin, end, name in labels if begin <= start < end), "")
        for column, pattern in enumerate(PARTS):
            if pattern.match(sentence) or pattern.match(label):
                marks[row, column] = 1
    return marks


def _section_labels(document: Document) -> list[tuple[int, int, str]]:
    """Where each labelled section stands in ``Document.text``."""
    labels = []
    at = len(document.title) + 1
    held = [section for section in document.sections if section.text]
    for section in held if len(document.sections) > 1 else document.sections:
        # Only the first sentence of a section carries its label, as in running text.
        if section.label:
            labels.append((at, at + 1, section.label.upper()))
        at += len(section.text) + 1
    return labels
