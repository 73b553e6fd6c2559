"""Is a reason what moved the score? Take away what it names, and something else of the same size.

Each function gives, for many hits, two falls of the score: without what the reason weighs most, and
without things drawn at random. ``benchmarks/faithfulness.py`` runs them on real data,
``test_p17_faithful.py`` on a small world of our own.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np

from osler import Library
from osler.kinds import (
    Document,
    Entity,
    EntityPair,
    EvidenceSentence,
    Heat,
    PathReason,
    ScoreParts,
    Section,
    SharedConcept,
    Triple,
)
from osler.text.scripts import CJK_CHARACTER
from osler.text.sentences import sentences

WORD = re.compile(r"[^\W_]{3,}")
DRAWS = 3


@dataclass
class Falls:
    """How far scores fell, case by case."""

    named: list[float] = field(default_factory=list)
    drawn: list[float] = field(default_factory=list)

    def add(self, whole: float, without_named: float, without_drawn: Iterable[float]) -> None:
        drawn = [whole - score for score in without_drawn]
        if drawn and whole > 0:
            self.named.append((whole - without_named) / whole)
            self.drawn.append(float(np.mean(drawn)) / whole)

    def told(self, *, seed: int = 0) -> dict[str, float]:
        """Mean relative falls, and the chance of such a lead if naming meant nothing: signs of the
        differences flipped 20,000 times."""
        lead = np.asarray(self.named) - np.asarray(self.drawn)
        if not len(lead):
            return {"cases": 0, "named": 0.0, "drawn": 0.0, "p": 1.0}
        rng = np.random.default_rng(seed)
        flips = rng.integers(0, 2, (20_000, len(lead)), dtype=np.int8) * 2 - 1
        chance = (flips @ lead) / len(lead)
        return {
            "cases": len(lead),
            "named": float(np.mean(self.named)),
            "drawn": float(np.mean(self.drawn)),
            "p": float((1 + (chance >= lead.mean() - 1e-12).sum()) / (1 + len(chance))),
        }


def without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    for start, end in sorted(set(spans), reverse=True):
        text = text[:start] + text[end:]
    return text


def words_at_random(
    text: str, count: int, rng: random.Random, avoid: Iterable[tuple[int, int]] = ()
) -> list[tuple[int, int]]:
    """Places of so many words that lie outside of others."""
    held = list(avoid)
    free = [
        m.span()
        for m in WORD.finditer(text)
        if not any(m.start() < end and start < m.end() for start, end in held)
    ]
    return rng.sample(free, min(count, len(free)))


def rewritten(document: Document, id: str, text: str, **changes: Any) -> Document:
    """The document with another title and abstract: ``text`` is title, newline, abstract."""
    title, _, abstract = text.partition("\n")
    return msgspec.structs.replace(
        document, id=id, title=title, sections=(Section(abstract),), ids={}, **changes
    )


# -- search ----------------------------------------------------------------------------------------


def search_falls(
    library: Library,
    questions: Sequence[str],
    *,
    kind: str,
    method: str,
    k: int = 3,
    seed: int = 0,
) -> Falls:
    """Variants of the best hits stand beside them in the library: without what the reason names,
    without something else, and unchanged. ``kind``: ``sentence``, ``concept`` or ``parts``."""
    rng = random.Random(seed)
    made: dict[str, Document] = {}
    cases: list[tuple[str, str]] = []
    for number, question in enumerate(questions):
        for hit in library.search(question, k=k, method=method, plain=True):
            document = library.document(hit.id)
            document = rewritten(document, hit.id, document.text, full_text=())
            key = f"v{number}:{hit.id}"
            pair = (_sentence if kind == "sentence" else _concept)(document, hit.reasons, rng)
            if pair is None:
                continue
            named, drawn = pair
            made[f"{key}:whole"] = msgspec.structs.replace(document, id=f"{key}:whole", ids={})
            made[f"{key}:named"] = msgspec.structs.replace(named, id=f"{key}:named")
            for place, other in enumerate(drawn):
                made[f"{key}:{place}"] = msgspec.structs.replace(other, id=f"{key}:{place}")
            cases.append((question, key))
    library.add_documents(list(made.values()))
    if method in ("hybrid", "vectors", "concepts"):
        library.embed()
    run = library.search_many({str(n): q for n, q in enumerate(questions)}, k=10_000, method=method)
    falls = Falls()
    for question, key in cases:
        scores = run[str(questions.index(question))]
        drawn = [
            scores.get(f"{key}:{place}", 0.0) for place in range(DRAWS) if f"{key}:{place}" in made
        ]
        falls.add(scores.get(f"{key}:whole", 0.0), scores.get(f"{key}:named", 0.0), drawn)
    library.remove(list(made))
    return falls


Variants = tuple[Document, list[Document]]


def _sentence(document: Document, reasons: Sequence[Any], rng: random.Random) -> Variants | None:
    told = next((r for r in reasons if isinstance(r, EvidenceSentence)), None)
    if told is None or told.section:
        return None
    text = document.text
    start = len(document.title) + 1
    others = [
        (start + low, start + high)
        for low, high in sentences(document.abstract)
        if start + low >= told.end or start + high <= told.start
    ]
    if not others or told.start < start:
        return None
    drawn = [rng.choice(others) for _ in range(DRAWS)]
    return (
        rewritten(document, "", without(text, [(told.start, told.end)])),
        [rewritten(document, "", without(text, [span])) for span in drawn],
    )


def _concept(document: Document, reasons: Sequence[Any], rng: random.Random) -> Variants | None:
    told = [r for r in reasons if isinstance(r, SharedConcept) and r.spans]
    if not told:
        return None
    best = max(told, key=lambda reason: (reason.weight, reason.entity))
    names = {best.entity, best.in_document, best.via} - {""}
    spans = list(best.spans)
    every = [span for reason in told for span in reason.spans]
    count = sum(len(WORD.findall(document.text[a:b])) or 1 for a, b in spans)
    kept = tuple(h for h in document.headings if h.id not in names)
    gone = len(document.headings) - len(kept)
    drawn = []
    for _ in range(DRAWS):
        others = words_at_random(document.text, count, rng, every)
        if not others:
            return None
        headings = list(document.headings)
        rng.shuffle(headings)
        drawn.append(
            rewritten(document, "", without(document.text, others), headings=tuple(headings[gone:]))
        )
    return rewritten(document, "", without(document.text, spans), headings=kept), drawn


def parts_hold(library: Library, questions: Sequence[str], *, method: str) -> tuple[int, float]:
    """How many scores were looked at, and the largest gap between a score and its parts' sum."""
    count, worst = 0, 0.0
    for question in questions:
        for hit in library.search(question, k=10, method=method, plain=True):
            for reason in hit.reasons:
                if isinstance(reason, ScoreParts):
                    count += 1
                    worst = max(worst, abs(sum(reason.contributed.values()) - hit.score))
    return count, worst


# -- words with weights ----------------------------------------------------------------------------


def heat_falls(
    cases: Iterable[tuple[str, Sequence[tuple[str, float]], Callable[[str], float]]],
    *,
    count: int = 3,
    seed: int = 0,
) -> Falls:
    """For texts with weighted words and a score of any text: the ``count`` warmest words gone,
    wherever they stand, against as many others of the text."""
    rng = random.Random(seed)
    falls = Falls()
    for text, words, score in cases:
        heats = {word.lower(): heat for word, heat in words if heat > 0}
        warm: list[str] = []
        # Words that are equally warm go together: the warmest of all, then as many as there is
        # room for. The even warmth of all the rest is no reason.
        for level in sorted(set(heats.values()), reverse=True):
            equal = [word for word, heat in heats.items() if heat == level]
            if warm and len(warm) + len(equal) > count:
                break
            warm += equal
        if not warm:
            continue
        chosen = set(warm)
        # A heat of all words says which others there are (and how Chinese is cut into words).
        cool = {word.lower() for word, _ in words if len(word) > 1}
        present = {m.group().lower() for m in WORD.finditer(text)}
        others = sorted((cool if len(cool) > 2 * count else present) - chosen)
        if len(others) < len(chosen):
            continue
        drawn = [rng.sample(others, len(chosen)) for _ in range(DRAWS)]
        falls.add(
            score(text), score(_less(text, chosen)), [score(_less(text, set(d))) for d in drawn]
        )
    return falls


def _less(text: str, words: set[str]) -> str:
    ordered = sorted(words, key=len, reverse=True)
    # Chinese has no blanks that a word could end at.
    found = "|".join(
        re.escape(w) if CJK_CHARACTER.search(w) else rf"(?<!\w){re.escape(w)}(?!\w)"
        for w in ordered
    )
    return re.sub(found, "", text, flags=re.IGNORECASE) if found else text


def heat_of(reasons: Sequence[Any], view: str | None = None) -> Sequence[tuple[str, float]]:
    for reason in reasons:
        if isinstance(reason, Heat) and (view is None or reason.view == view):
            return reason.words
    return ()


# -- answers out of records ------------------------------------------------------------------------


def path_falls(
    entities: Sequence[Entity],
    triples: Sequence[Triple],
    questions: Sequence[str],
    *,
    seed: int = 0,
    most: int = 60,
) -> Falls:
    """The triples of the first answer's path out of the records, against as many that the answer
    does not rest on: is it still given, and how surely?"""
    from osler.ask.answerer import answerers
    from osler.records.kb import ClinicalKB

    rng = random.Random(seed)
    reader = answerers.get("reader")
    whole = reader(ClinicalKB.build(entities, triples))
    keys = [(t.head, t.relation, t.tail) for t in triples]

    def score(question: str, wanted: str, gone: set[tuple[str, str, str]]) -> float:
        kept = [t for t, key in zip(triples, keys, strict=True) if key not in gone]
        again = reader(ClinicalKB.build(entities, kept)).ask(question)
        return float(again.confidence) if wanted in again.entities else 0.0

    falls = Falls()
    for question in questions:
        if len(falls.named) >= most:
            break
        answer = whole.ask(question, explain=True)
        told = next((r for r in answer.reasons if isinstance(r, PathReason)), None)
        if not answer.entities or told is None:
            continue
        on_path = _edges(told) & set(keys)
        wanted = told.path.entities[-1]
        away = [key for key in keys if key not in on_path]
        drawn = [set(rng.sample(away, len(on_path))) for _ in range(DRAWS)]
        falls.add(
            float(answer.confidence),
            score(question, wanted, on_path),
            [score(question, wanted, gone) for gone in drawn],
        )
    return falls


def _edges(reason: Any) -> set[tuple[str, str, str]]:
    found, here = set(), reason.path.start
    for step in reason.path.steps:
        ends = (step.entity, here) if step.inverse else (here, step.entity)
        found.add((ends[0], step.relation, ends[1]))
        here = step.entity
    return found


# -- answers to consumers' questions ---------------------------------------------------------------


def pair_falls(
    matcher: Any, cases: Iterable[tuple[str, str]], *, seed: int = 0, link: Callable[[str], Any]
) -> Falls:
    """The answer's entity of the heaviest pair gone from the answer, against other words of it."""
    from osler.match.matcher import Candidate

    rng = random.Random(seed)
    falls = Falls()
    for question, answer in cases:
        reasons = matcher.explain(question, Candidate("a", answer))
        pairs = [r for r in reasons if isinstance(r, EntityPair)]
        if not pairs:
            continue
        best = max(pairs, key=lambda pair: (pair.weight, pair.answer))
        mentions = link(answer)
        spans = [(m.start, m.end) for m in mentions if m.entity == best.answer]
        every = [(m.start, m.end) for m in mentions]
        if not spans:
            continue
        count = sum(len(WORD.findall(answer[a:b])) or 1 for a, b in spans)
        drawn = [words_at_random(answer, count, rng, every) for _ in range(DRAWS)]
        if not drawn[0]:
            continue
        texts = [answer, without(answer, spans), *(without(answer, gone) for gone in drawn)]
        scores = matcher.scores(question, [Candidate(str(n), t) for n, t in enumerate(texts)])
        # Scores have no zero: they are counted from the least of the lot.
        floor = float(min(scores)) - 1.0
        falls.add(scores[0] - floor, scores[1] - floor, [s - floor for s in scores[2:]])
    return falls
