"""Is a reason what moved the score, for answers: aspects of `ask`, paths of `match`, the sentence
that `rank` and `grade` show. The rest is in ``faithful.py``."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from osler.kinds import AspectWeights, Entity, PathReason, Triple
from osler.text.sentences import sentences
from promises.faithful import DRAWS, Falls, _edges, without

Span = tuple[int, int]


def sentence_falls(
    cases: Iterable[tuple[str, Span, Callable[[str], float]]], *, seed: int = 0
) -> Falls:
    """For texts with a sentence that is shown: the text without it, against the text without
    another sentence."""
    rng = random.Random(seed)
    falls = Falls()
    for text, (start, end), score in cases:
        # A title is no sentence of the abstract: it stays.
        head = text.find("\n") + 1
        every = [(head + a, head + b) for a, b in sentences(text[head:])]
        others = [(a, b) for a, b in every if b <= start or a >= end]
        if not others or start < head:
            continue
        drawn = [rng.choice(others) for _ in range(DRAWS)]
        falls.add(
            score(text),
            score(without(text, [(start, end)])),
            [score(without(text, [span])) for span in drawn],
        )
    return falls


# -- ask -------------------------------------------------------------------------------------------


def words_of_aspects(reader: Any, question: str) -> dict[str, list[Span]]:
    """Through which words of a question the reader met each aspect of its answer: a name stands
    for the entity, any other word for what it met most strongly."""
    from osler.ask.reading.answering import finish
    from osler.ask.reading.explain import _rows

    reading, relevance, items = reader.prepare(question)
    scores = reader.scorer.scores(reader.kb, reading.masked, items)
    done = finish(reader.kb, reading, relevance, items, scores, reader.scorer)
    if done is None:
        return {}
    named = {at for m in reading.mentions if not m.weak or m.patient for at in m.words}
    found: dict[str, set[int]] = {"entity": named, "path": set(), "type": set(), "context": set()}
    rows = dict(zip(("path", "type", "context"), _rows(done, relevance), strict=True))
    for number, clue in enumerate(reading.clues):
        if clue.place in named:
            continue
        met = {name: float(relevance.strength[of, number].max()) for name, of in rows.items() if of}
        if met and max(met.values()) > 0:
            found[max(met, key=lambda name: met[name])].add(clue.place)
    return {
        name: [(reading.words[at].start, reading.words[at].end) for at in sorted(places)]
        for name, places in found.items()
    }


def aspect_falls(reader: Any, questions: Sequence[str], *, seed: int = 0) -> Falls:
    """The words through which the question met the heaviest aspect, against as many others."""
    rng = random.Random(seed)
    falls = Falls()
    for question in questions:
        answer = reader.ask(question, explain=True)
        told = next((r for r in answer.reasons if isinstance(r, AspectWeights)), None)
        if told is None or not answer.entities:
            continue
        places = words_of_aspects(reader, question)
        heaviest = max(sorted(told.weights), key=lambda name: told.weights[name])
        gone = places.get(heaviest, [])
        words = [(w.start, w.end) for w in reader.prepare(question)[0].words]
        others = [span for span in words if span not in gone]
        if not gone or len(others) < len(gone):
            continue
        wanted = set(answer.entities)

        def score(spans: Iterable[Span], text: str = question, wanted: set[str] = wanted) -> float:
            try:
                again = reader.ask(without(text, spans))
            except ValueError:
                return 0.0
            return again.confidence if set(again.entities) == wanted else 0.0

        drawn = [rng.sample(others, len(gone)) for _ in range(DRAWS)]
        falls.add(float(answer.confidence), score(gone), [score(spans) for spans in drawn])
    return falls


def network_aspect_falls(answerer: Any, questions: Sequence[str]) -> Falls:
    """For the networks: the term of the heaviest aspect out of the sum (eq. 6), against the terms
    of the others. Falls are counted in the spread of the candidates' scores: they have no zero."""
    falls = Falls()
    for question in questions:
        answer = answerer.ask(question, explain=True)
        told = next((r for r in answer.reasons if isinstance(r, AspectWeights)), None)
        if told is None or len(told.weights) < 2:
            continue
        example = answerer.aspects.example(
            answerer._grounded(question), contexts="context" in answerer.used
        )
        whole = answerer.scores(example)
        best, spread = int(whole.argmax()), float(np.std(whole)) or 1.0
        heaviest = max(sorted(told.weights), key=lambda name: told.weights[name])
        fall = {}
        for name in told.weights:
            kept = answerer.module.used
            answerer.module.used = tuple(n for n in kept if n != name)
            try:
                fall[name] = float(whole[best] - answerer.scores(example)[best]) / spread
            finally:
                answerer.module.used = kept
        falls.named.append(fall.pop(heaviest))
        falls.drawn.append(float(np.mean(list(fall.values()))))
    return falls


# -- match -----------------------------------------------------------------------------------------


def match_path_falls(
    entities: Sequence[Entity],
    triples: Sequence[Triple],
    pairs: Iterable[tuple[str, str]],
    *,
    seed: int = 0,
    most: int = 60,
) -> Falls:
    """The edges of the heaviest path out of the graph, against as many other edges of it. Falls
    are counted from what the answer scores without any graph."""
    from osler.knowledge.graph import Graph
    from osler.knowledge.linker import Linker
    from osler.match.default import Default
    from osler.match.known import Known
    from osler.match.matcher import Candidate, Sources

    rng = random.Random(seed)
    linker = Linker.build(entities)
    keys = sorted({(t.head, t.relation, t.tail) for t in triples})

    def matcher(gone: set[tuple[str, str, str]]) -> Default:
        kept = [t for t in triples if (t.head, t.relation, t.tail) not in gone]
        graph = Graph.build(entities, kept, hierarchy=False)
        return Default(Sources(known=Known(graph, linker)))

    whole = matcher(set())
    falls = Falls()
    for question, answer in pairs:
        if len(falls.named) >= most:
            break
        candidate = Candidate("a", answer)
        paths = [r for r in whole.explain(question, candidate) if isinstance(r, PathReason)]
        if not paths:
            continue
        best = max(paths, key=lambda reason: (reason.weight, reason.path.entities))
        gone = _edges(best) & set(keys)
        away = [key for key in keys if key not in gone]
        if not gone or len(away) < len(gone):
            continue

        def score(gone: set[tuple[str, str, str]], q: str = question, c: Any = candidate) -> float:
            return float(matcher(gone).scores(q, [c])[0])

        # Scores of one answer have no zero; the path's worth is what the graph adds.
        bare = score(set(keys))
        scored = score(set())
        drawn = [score(set(rng.sample(away, len(gone)))) for _ in range(DRAWS)]
        added = scored - bare
        if added <= 0:
            continue
        falls.add(added, score(gone) - bare, [one - bare for one in drawn])
    return falls


def match_parts_hold(matcher: Any, pairs: Iterable[tuple[str, str]]) -> tuple[int, float]:
    """How many scores were looked at, and the largest gap between a score and its parts' sum."""
    from osler.kinds import ScoreParts
    from osler.match.matcher import Candidate

    count, worst = 0, 0.0
    for question, answer in pairs:
        candidate = Candidate("a", answer)
        (score,) = matcher.scores(question, [candidate])
        for reason in matcher.explain(question, candidate):
            if isinstance(reason, ScoreParts):
                count += 1
                worst = max(worst, abs(sum(reason.contributed.values()) - float(score)))
    return count, worst
