"""How ``ask``'s shipped weights were made.

    python -m osler_papers.recipes.clinical_weights DATA OUT

Weights and confidence are fitted over several knowledge bases at once (simulated records, the same
with other relation names, FHIR tables, the ward of mimicsql's questions), so that no house's names
are in them. Only the halves that are marked for learning are used; the recipe ``clinical-kbqa``
tests on the others, and its held-out parts start from weights by judgement instead of these.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np

from osler.ask.reader import COMMON, ReaderAnswerer, same
from osler.ask.reading.answering import finish
from osler.ask.reading.scorer import TRUST, Scorer, fit_weights, starting_weights
from osler.ask.reading.trust import facts_of, fit_trust, invented
from osler.ask.reading.walk_evidence import NAMES
from osler.records.kb import ClinicalKB, merge
from osler.records.making import answerable, question_set
from osler.records.questions import Question, questions, unanswerable
from osler.records.statistics import PAPER_TABLE_3
from osler.records.templates import read_templates
from osler_papers.recipes.clinical_absent import ehrsql_absent, off_the_record
from osler_papers.recipes.clinical_sql_ward import Asked, ward
from osler_papers.renaming import renamed
from osler_papers.simulator import WRITERS, simulate

Say = Callable[[str], None]
KEPT = 40


@dataclass
class House:
    """One knowledge base with questions to learn from, to calibrate on, and without an answer."""

    name: str
    kb: ClinicalKB
    learn: Sequence[Question | Asked]
    dev: Sequence[Question | Asked]
    absent: Sequence[str]


def houses(data: Path, *, seed: int = 5, each: int = 700) -> list[House]:
    rng = Random(seed)  # noqa: S311
    with tempfile.TemporaryDirectory() as folder:
        written = simulate(Path(folder), seed=seed, scale=0.3)
        parts = [ClinicalKB.read(p, format=WRITERS[t][2]) for t, p in written.items()]
    kb = merge(parts)
    asked = question_set(kb, seed=seed, scale=0.3)
    rng.shuffle(asked)
    templates = [t for topic in PAPER_TABLE_3 for t in answerable(kb, read_templates(topic))]
    absent = [text for text, _ in unanswerable(kb, templates, each // 4, seed=seed)]
    odd = ehrsql_absent(data, learn=True)
    found = [
        House("simulated", kb, asked[:each], asked[each : each + 250], absent),
        House("renamed", renamed(kb), asked[each + 250 : 2 * each], asked[2 * each :][:150], []),
    ]
    if (data / "synthea_fhir_r4").is_dir():
        fhir = ClinicalKB.read(data / "synthea_fhir_r4", format="fhir-tables")
        made = list(questions(fhir, read_templates("fhir"), limit=14, seed=seed))
        rng.shuffle(made)
        seen, held = by_template(made, rng)
        none = [t for t, _ in unanswerable(fhir, read_templates("fhir"), each // 6, seed=seed)]
        found.append(House("FHIR", fhir, seen[: each // 2], held[:150], none))
    path = data / "mimicsql" / "questions.jsonl.gz"
    if path.is_file():
        place, rows = ward(path)
        some = [row for row in rows if row.learn]
        cut = len(some) * 2 // 3
        found.append(House("sql ward", place, some[:cut], some[cut:], []))
    for house in found:
        people = [house.kb.names[n] for n in house.kb.patients.tolist()]
        texts = [*odd[:60], *off_the_record(people, rng, count=72)]
        house.absent = [*house.absent, *texts]
        rng.shuffle(odd)
    return found


def by_template(asked: Sequence[Question], rng: Random) -> tuple[list[Question], list[Question]]:
    """Two parts that share no template: confidence is fitted where the weights saw no wording."""
    ids = sorted({q.template for q in asked})
    held = set(rng.sample(ids, len(ids) // 3))
    parts: tuple[list[Question], list[Question]] = ([], [])
    for question in asked:
        parts[question.template in held].append(question)
    return parts


def fitted(found: Sequence[House], say: Say) -> Scorer:
    """Weights over all houses, then confidence over all of their dev questions."""
    start = starting_weights()
    rows: list[tuple[np.ndarray, np.ndarray]] = []
    met: Counter[str] = Counter()
    readers = []
    for house in found:
        reader = ReaderAnswerer(house.kb, scorer=Scorer(start))
        readers.append(reader)
        before = len(rows)
        for question in house.learn:
            reading, _, items = reader.prepare(question.question)
            met.update(set(reading.masked))
            right = _right(reader, items, question)
            if right.any():
                x = np.asarray([i.features for i in items])
                order = np.argsort(-(x @ start), kind="stable")[:KEPT].tolist()
                chosen = sorted({*order, *np.flatnonzero(right)[:5].tolist()})
                rows.append((x[chosen], right[chosen]))
        say(f"{house.name}: {len(rows) - before} of {len(house.learn)} questions can be read")
    common = sorted(w for w, n in met.items() if n >= COMMON and w.isalpha())
    scorer = Scorer(fit_weights(rows, start=start), words=common)
    facts, good, answerable_ = [], [], []
    for house, reader in zip(found, readers, strict=True):
        reader.scorer = scorer
        dev = house.dev
        strange = invented(
            [q.question for q in dev if isinstance(q, Question)],
            [[n for _, n in q.constraints] for q in dev if isinstance(q, Question)],
        )
        hits = 0
        for text, gold in [
            *((q.question, q) for q in dev),
            *((t, None) for t in [*house.absent, *strange]),
        ]:
            reading, relevance, items = reader.prepare(text)
            if reading.unknown_patient:
                continue
            scores = scorer.scores(reader.kb, reading.masked, items)
            done = finish(reader.kb, reading, relevance, items, scores, scorer)
            if done is None:
                continue
            right_ = gold is not None and (
                same(reader.kb, done, gold)
                if isinstance(gold, Question)
                else gold.right(done.names, [reader.kb.ids[n] for n in done.nodes])
            )
            hits += right_
            facts.append(facts_of(reading, relevance, items, scores, done, scorer))
            good.append(right_)
            answerable_.append(gold is not None)
        say(f"{house.name}: {hits} of {len(dev)} right before refusals")
    trust = fit_trust(np.asarray(facts), np.asarray(good), np.asarray(answerable_))
    scorer.trust, scorer.curve, scorer.floor = trust.weights, trust.curve, trust.floor
    say(f"floor {scorer.floor:.3f}")
    return scorer


def _right(reader: ReaderAnswerer, items: Sequence, question: Question | Asked) -> np.ndarray:  # type: ignore[type-arg]
    if isinstance(question, Question):
        return reader.right(items, question)
    marks = []
    for item in items:
        nodes = item.nodes.tolist()
        names = sorted({reader.kb.names[n] for n in nodes})
        ids = [reader.kb.ids[n] for n in nodes]
        marks.append(question.right(names, ids))
    return np.asarray(marks, dtype=bool)


def main(arguments: Sequence[str]) -> None:
    data, out = Path(arguments[0]), Path(arguments[1])
    scorer = fitted(houses(data), print)
    known = {
        "weights": {n: round(float(v), 4) for n, v in zip(NAMES, scorer.weights, strict=True)},
        "trust": {
            n: round(float(v), 4) for n, v in zip((*TRUST, "bias"), scorer.trust, strict=True)
        },
        "curve": [] if scorer.curve is None else scorer.curve.round(4).tolist(),
        "floor": round(scorer.floor, 4),
        "words": sorted(scorer.words),
    }
    out.write_text(json.dumps({"plain": known}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
