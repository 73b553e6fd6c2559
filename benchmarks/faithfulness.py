"""Promise P17 on real data: do reasons name what moved the score, and are confidences honest?

    python benchmarks/faithfulness.py --data DIR [--out FOLDER] [--only search,rank,ask,match,grade]
                                      [--most N]

For each kind of reason: how far the score falls without what the reason weighs most, and without as
much of anything else, with the chance of such a lead if naming meant nothing. For each confidence
that a person sees: the expected calibration error over ten bins, and, with ``--out``, a reliability
diagram.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import numpy as np

from osler import Document, Library
from osler.errors import OslerError
from osler.fetch import fetched
from osler.kinds import Entity, Section, Triple
from osler.measures.calibration import expected_calibration_error, reliability_bins
from promises import faithful, faithful_answers

LIMIT = 0.05


class Told:
    """What was measured, one line each; ``held`` is whether the promise holds everywhere."""

    def __init__(self, out: Path | None, most: int) -> None:
        self.out = out
        self.most = most
        self.held = True

    def some(self, cases: Sequence[Any]) -> list[Any]:
        """So many of the cases, spread evenly."""
        if len(cases) <= self.most:
            return list(cases)
        return [cases[round(n * (len(cases) - 1) / (self.most - 1))] for n in range(self.most)]

    def falls(self, what: str, falls: faithful.Falls) -> None:
        told = falls.told()
        good = told["p"] < LIMIT
        self.held &= good
        print(
            f"{what:44} {told['cases']:5} cases  fall {told['named']:+.3f} named, "
            f"{told['drawn']:+.3f} drawn  p = {told['p']:.5f}  {'holds' if good else 'FAILS'}",
            flush=True,
        )

    def confidence(self, what: str, sure: Sequence[float], right: Sequence[bool]) -> None:
        error = expected_calibration_error(np.asarray(sure), np.asarray(right))
        usual, chance = by_chance(np.asarray(sure), error)
        # Few cases show an error where there is none: what honest confidences would show is said
        # beside it, and how often they would show as much.
        good = error <= LIMIT
        self.held &= good
        verdict = "holds" if good else "FAILS"
        print(
            f"{what:44} {len(sure):5} cases  calibration error {error:.3f} "
            f"(honest ones: {usual:.3f}, p = {chance:.3f})  {verdict}",
            flush=True,
        )
        if self.out is not None:
            name = what.split(":")[0].replace(" ", "-")
            diagram(self.out / f"reliability-{name}.svg", what, sure, right)

    def exact(self, what: str, count: int, worst: float) -> None:
        good = worst < 1e-4 and count > 0
        self.held &= good
        print(
            f"{what:44} {count:5} cases  largest gap {worst:.6f}  {'holds' if good else 'FAILS'}",
            flush=True,
        )


def by_chance(sure: np.ndarray, error: float, *, seed: int = 0) -> tuple[float, float]:
    """The calibration error that confidences which are exactly right show on so many cases, by the
    mean of 500 draws; and in which share of draws it is as large as the one found."""
    rng = np.random.default_rng(seed)
    drawn = [expected_calibration_error(sure, rng.random(len(sure)) < sure) for _ in range(500)]
    return float(np.mean(drawn)), float(np.mean(np.asarray(drawn) >= error))


def diagram(path: Path, title: str, sure: Sequence[float], right: Sequence[bool]) -> None:
    """How often what was said so surely was right; below, how often it was said so surely."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    # The same numbers give the same file.
    matplotlib.rcParams["svg.hashsalt"] = path.name
    path.parent.mkdir(parents=True, exist_ok=True)
    bins = reliability_bins(np.asarray(sure), np.asarray(right))
    error = expected_calibration_error(np.asarray(sure), np.asarray(right))
    figure, (axes, below) = plt.subplots(
        2, 1, figsize=(4, 5), sharex=True, gridspec_kw={"height_ratios": [4, 1]}
    )
    middles = [(b.low + b.high) / 2 for b in bins]
    width = [0.9 * (b.high - b.low) for b in bins]
    axes.plot([0, 1], [0, 1], color="grey", linewidth=1)
    axes.bar(middles, [b.accuracy for b in bins], width=width, alpha=0.5)
    axes.scatter([b.confidence for b in bins], [b.accuracy for b in bins], zorder=3)
    axes.set(ylabel="share that is right", xlim=(0, 1), ylim=(0, 1))
    axes.set_title(f"{title}\n{len(sure):,} cases, calibration error {error:.3f}", fontsize=9)
    below.bar(middles, [b.count for b in bins], width=width, color="grey")
    below.set(xlabel="confidence", ylabel="cases", yscale="log")
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


# -- search ----------------------------------------------------------------------------------------


def papers(count: int) -> list[Document]:
    from osler.files.reader import recognise
    from osler.files.source import Source

    here = fetched("pubmed-sample")
    if here is None:
        raise OslerError("the sample of PubMed is not here: osler fetch pubmed-sample")
    source = Source(here / "pubmed21n1298.xml.gz")
    found = []
    for item in recognise(source).read(source):
        if isinstance(item, Document) and len(item.abstract) > 600 and item.language == "en":
            found.append(item)
            if len(found) >= count:
                break
    return found


def search(told: Told, data: Path) -> None:
    count = min(40, told.most)
    everything = papers(11 * count)
    held, asked = everything[: 10 * count], everything[10 * count :]
    questions = [document.title for document in asked]
    mesh = fetched("mesh")
    with tempfile.TemporaryDirectory() as folder, Library.create(Path(folder) / "lib") as library:
        library.add_documents(held)
        falls = faithful.search_falls(library, questions, kind="sentence", method="words")
        told.falls("evidence sentence (search by words)", falls)
        told.exact("score parts (words)", *faithful.parts_hold(library, questions, method="words"))
        if mesh is not None:
            library.add([mesh / "mesh_id_label_mappings.tsv"])
            falls = faithful.search_falls(library, questions, kind="concept", method="concepts")
            told.falls("shared concept (search by concepts)", falls)
            gap = faithful.parts_hold(library, questions, method="concepts")
            told.exact("score parts (concepts)", *gap)


# -- rank ------------------------------------------------------------------------------------------


def rdoc(data: Path) -> tuple[list[Document], list[str], list[list[str]]]:
    documents, labels, chosen = [], [], []
    with gzip.open(data / "rdoc" / "train.jsonl.gz", "rt", encoding="utf-8") as stream:
        for line in stream:
            row = json.loads(line)
            documents.append(
                Document(id=row["pmid"], title=row["title"], sections=(Section(row["abstract"]),))
            )
            labels.append(row["construct"])
            chosen.append(row["relevant_sentences"])
    return documents, labels, chosen


def rank(told: Told, data: Path) -> None:
    from osler.rank import Pool, Topic, rankers
    from osler.rank.job import best_sentence
    from osler.rank.sentence_ranker import Abstract, sentence_rankers

    documents, labels, chosen = rdoc(data)
    names = sorted(set(labels))
    topics = [Topic(name.replace("_", " ")) for name in names]
    targets = np.asarray([names.index(label) for label in labels])
    sure: list[float] = []
    right: list[bool] = []
    cases: list[Any] = []
    shown: list[Any] = []
    sure_sentence: list[float] = []
    right_sentence: list[bool] = []
    order = np.random.default_rng(0).permutation(len(documents))
    for fold in range(4):
        held = order[fold::4]
        rest = np.setdiff1d(order, held)
        pool = Pool(documents)
        ranker = rankers.resolve("hybrid").fit(pool.take(rest), targets[rest], topics)
        scores = ranker.scores(pool.take(held))
        abstracts = [
            Abstract(documents[at], topics[targets[at]], relevant=chosen[at])
            for at in range(len(documents))
        ]
        finder = sentence_rankers.resolve("hybrid").fit([abstracts[at] for at in rest.tolist()])
        for at in held.tolist():
            values = finder.probabilities(abstracts[at])
            sure_sentence += np.clip(values, 0, 1).tolist()
            right_sentence += [bool(mark) for mark in abstracts[at].relevant]
        for row, at in enumerate(held.tolist()):
            for topic in range(len(topics)):
                sure.append(float(scores[row, topic]))
                right.append(bool(targets[at] == topic))
        for at in held.tolist():
            topic = int(targets[at])
            (reasons,) = ranker.reasons(Pool([documents[at]]), topic)

            def score(text: str, r: Any = ranker, a: int = at, t: int = topic) -> float:
                other = faithful.rewritten(documents[a], "x", text)
                return float(r.scores(Pool([other]))[0, t])

            cases.append((documents[at].text, faithful.heat_of(reasons), score))
            sentence = best_sentence(finder, documents[at], topics[topic])
            if sentence is not None:
                shown.append((documents[at].text, (sentence.start, sentence.end), score))
    told.falls("topic words (rank)", faithful.heat_falls(told.some(cases)))
    told.falls("sentence (rank)", faithful_answers.sentence_falls(told.some(shown)))
    told.confidence("rank paper: it is of the topic", sure, right)
    told.confidence("rank sentence: a person chose it", sure_sentence, right_sentence)


# -- ask -------------------------------------------------------------------------------------------


def records(data: Path, folder: Path) -> Any:
    with Library.create(folder / "records") as library:
        library.add([data / "synthea_fhir_r4"], format="fhir-tables")
        return library.records()


def ask(told: Told, data: Path) -> None:
    from osler.ask.answerer import answerers
    from osler.records.making import question_set

    with tempfile.TemporaryDirectory() as folder:
        kb = records(data, Path(folder))
        found = question_set(kb, seed=3, limit=12, scale=0.3)
        random.Random(0).shuffle(found)
        found = found[:400]
        reader = answerers.get("reader")(kb)
        sure, right, cases = [], [], []
        for question in found:
            answer = reader.ask(question.question, explain=True)
            if not answer.entities:
                continue
            sure.append(float(answer.confidence))
            right.append(set(answer.entities) == set(question.entities))
            words = faithful.heat_of(answer.reasons)

            def score(text: str, wanted: Any = frozenset(answer.entities)) -> float:
                again = reader.ask(text)
                return again.confidence if set(again.entities) == wanted else 0.0

            cases.append((question.question, words, score))
        told.falls(
            "attention, words of the question (ask)", faithful.heat_falls(told.some(cases), count=1)
        )
        told.confidence("ask: the answer is the whole answer", sure, right)
        asked = [question.question for question in found]
        limit = min(150, told.most)
        told.falls("aspects (ask)", faithful_answers.aspect_falls(reader, asked[:limit]))
        aar = answerers.get("aar")(kb, size=48, hidden=24, epochs=6, rate=5e-3, batch=8)
        aar.fit(found[:200])
        falls = faithful_answers.network_aspect_falls(aar, asked[200 : 200 + limit])
        told.falls("aspects (ask by AAR)", falls)
    told.falls("path (ask)", hospital_paths())


def hospital_paths() -> faithful.Falls:
    """On the small hospitals of our own making: for each case the records are built anew."""
    from osler.files.reader import recognise
    from osler.files.source import Source

    hospitals = Path(__file__).parent.parent / "tests" / "ask" / "hospitals"
    total = faithful.Falls()
    for file in sorted(hospitals.glob("*.tsv")):
        source = Source(file)
        items = list(recognise(source, format="clinical-triples").read(source))
        questions = [
            json.loads(line)["question"]
            for line in file.with_suffix(".jsonl").read_text("utf-8").splitlines()
        ]
        falls = faithful.path_falls(
            [item for item in items if isinstance(item, Entity)],
            [item for item in items if isinstance(item, Triple)],
            questions,
            most=15,
        )
        total.named += falls.named
        total.drawn += falls.drawn
    return total


# -- match -----------------------------------------------------------------------------------------


def medquad(data: Path) -> Iterator[tuple[str, str]]:
    with gzip.open(data / "medquad" / "qa.jsonl.gz", "rt", encoding="utf-8") as stream:
        for line in stream:
            row = json.loads(line)
            if row.get("answer") and len(row["answer"]) > 200:
                yield row["question"], row["answer"][:1_500]


def match(told: Told, data: Path) -> None:
    from osler.verbs.match import matcher_of

    mesh = fetched("mesh")
    if mesh is None:
        raise OslerError("MeSH is not here: osler fetch mesh")
    pairs = list(medquad(data))
    random.Random(1).shuffle(pairs)
    with tempfile.TemporaryDirectory() as folder, Library.create(Path(folder) / "lib") as library:
        library.add([mesh / "mesh_id_label_mappings.tsv"])
        matcher, _ = matcher_of(library, None)
        falls = faithful.pair_falls(matcher, pairs[: min(150, told.most)], link=library.linker.link)
        told.falls("entity pair (match)", falls)
        asked, answers = [p[0] for p in pairs[:100]], [p[1] for p in pairs[:100]]
        gap = faithful_answers.match_parts_hold(matcher, zip(asked, answers, strict=True))
        told.exact("score parts (match)", *gap)
    entities, triples = hetionet(data, pairs[:600])
    falls = faithful_answers.match_path_falls(
        entities, triples, pairs[:600], most=min(60, told.most)
    )
    told.falls("path (match)", falls)


def hetionet(data: Path, pairs: Sequence[tuple[str, str]]) -> tuple[list[Entity], list[Triple]]:
    """Diseases, drugs and symptoms that the texts name, and their neighbours."""
    from osler.files.reader import recognise
    from osler.files.source import Source
    from osler.knowledge.linker import Linker

    source = Source(data / "hetionet_subset" / "nodes.tsv.gz")
    kinds = {"Disease", "Compound", "Symptom", "Anatomy"}
    items = recognise(source).read(source)
    nodes = {e.id: e for e in items if isinstance(e, Entity) and e.type in kinds}
    linker = Linker.build(nodes.values())
    texts = [text for pair in pairs for text in pair]
    named = {mention.entity for text in texts for mention in linker.link(text)}
    source = Source(data / "hetionet_subset" / "triples.tsv.gz")
    triples = [
        item
        for item in recognise(source).read(source)
        if isinstance(item, Triple)
        and item.head in nodes
        and item.tail in nodes
        and (item.head in named or item.tail in named)
    ]
    kept = named | {end for t in triples for end in (t.head, t.tail)}
    return [nodes[id] for id in sorted(kept)], triples


# -- grade -----------------------------------------------------------------------------------------


def grade(told: Told, data: Path) -> None:
    from osler.grade.calibrate import grouped_folds
    from osler.grade.grader import graders
    from osler.grade.job import evidence
    from osler.grade.table import read_pairs

    pairs = read_pairs(data / "hicapsrkl_sample" / "train.tsv")
    sure, right, shown = [], [], []
    cases: dict[str, list[Any]] = {"RCor": [], "KImp": []}
    # Facts and papers that the grader has not seen, as a person's own are.
    for train, test in grouped_folds(pairs, folds=4):
        held, rest = test.tolist(), train.tolist()
        grader = graders.resolve("evidence").fit([pairs[at] for at in rest])
        given = grader.grades([pairs[at] for at in held])
        scale = grader.scale
        gold = [scale.grades[scale.place(pairs[at].label)] for at in held]
        for row, wanted in zip(given, gold, strict=True):
            best = int(np.argmax(row))
            sure.append(float(row[best]))
            right.append("HFMI"[best] == wanted)
        for at, row in zip(held, given, strict=True):
            pair = pairs[at]
            # What a paper says of a fact is explained where it says something.
            if "HFMI"[int(np.argmax(row))] == "I":
                continue

            def score(text: str, g: Any = grader, p: Any = pair) -> float:
                title, _, abstract = text.partition("\n")
                less = replace(p, title=title, abstract=abstract, rcor_text="", kimp_text="")
                return float(g.scores([less])[0])

            text = f"{pair.title}\n{pair.abstract}"
            bare = replace(pair, rcor_text="", kimp_text="")
            for heat in grader.heats(bare):
                cases[heat.view].append((text, heat.words, score))
            sentence = evidence(bare, 0.0)
            if sentence is not None and bare.text[: sentence.end] == text[: sentence.end]:
                shown.append((text, (sentence.start, sentence.end), score))
    for view, each in cases.items():
        told.falls(f"heat, {view} (grade)", faithful.heat_falls(told.some(each)))
    told.falls("sentence (grade)", faithful_answers.sentence_falls(told.some(shown)))
    told.confidence("grade: it is the right one", sure, right)


PARTS: dict[str, Callable[[Told, Path], None]] = {
    "search": search,
    "rank": rank,
    "ask": ask,
    "match": match,
    "grade": grade,
}


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--data", type=Path, required=True)
    asked.add_argument("--out", type=Path)
    asked.add_argument("--only", default=",".join(PARTS))
    asked.add_argument("--most", type=int, default=10**6, help="cases of each kind of reason")
    given = asked.parse_args()
    told = Told(given.out, given.most)
    for name in given.only.split(","):
        try:
            PARTS[name](told, given.data)
        except (OslerError, OSError) as problem:
            print(f"{name}: skipped, {problem}")
    raise SystemExit(not told.held)


if __name__ == "__main__":
    main()
