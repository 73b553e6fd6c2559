"""What the recipes of `match` share: pairs, graph, splits, trained matchers, runs, tables.

A trained matcher's run is written once and read again, so that an interrupted recipe goes on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from osler.errors import NeedsError
from osler.files.source import Source
from osler.kinds import Entity, Pair, Run, Triple
from osler.knowledge.embeddings import models
from osler.knowledge.graph import Graph
from osler.knowledge.linker import Linker
from osler.match.known import Known
from osler.match.matcher import Matcher, Sources, matchers
from osler.match.measure import MEASURES, NDCG, PRECISION, means, measured, run_of
from osler.match.neural import NeuralMatcher, word_vectors
from osler.match.saving import load_matcher, save_matcher
from osler.match.splits import CandidateList, candidate_lists, split, write_lists
from osler.match.texts import Texts
from osler.match.training import read_pairs
from osler.measures.significance import bootstrap
from osler.measures.trec import read_run, write_run

Progress = Callable[[str], None]
FALSE = (5, 19)
METHODS = (
    "bow",
    "doc2vec",
    "smatrix",
    "knrm",
    "kablstm",
    "mkhan-nm",
    "mkhan",
    "shared-entities",
    "bm25",
    "bm25-bigrams",
    "default",
)
OURS = "default"
TITLES = {
    "bow": "BOW",
    "doc2vec": "Doc2Vec",
    "smatrix": "SMatrix",
    "knrm": "K-NRM",
    "kablstm": "KABLSTM",
    "mkhan-nm": "MKHAN-NM",
    "mkhan": "MKHAN",
    "shared-entities": "shared entities",
    "bm25": "BM25, words",
    "bm25-bigrams": "BM25, bigrams",
    "default": "Osler's default",
}
# Table 3 (Chunyu): nDCG and Precision for F = 5, then for F = 19, each at p = 30, 50, 70 %.
TABLE_3 = {
    "bow": ((0.6950, 0.6864, 0.6812), (0.4146, 0.4001, 0.3940),
            (0.5175, 0.5160, 0.5173), (0.2434, 0.2401, 0.2432)),
    "doc2vec": ((0.7170, 0.7187, 0.7281), (0.4271, 0.4290, 0.4463),
                (0.4996, 0.5060, 0.5157), (0.1920, 0.2053, 0.2141)),
    "smatrix": ((0.7756, 0.7959, 0.7984), (0.5370, 0.5695, 0.5758),
                (0.5904, 0.6201, 0.6321), (0.3175, 0.3541, 0.3683)),
    "knrm": ((0.7325, 0.7795, 0.7294), (0.4606, 0.5432, 0.4594),
             (0.5302, 0.5879, 0.5898), (0.2512, 0.3205, 0.3279)),
    "kablstm": ((0.8464, 0.8443, 0.8511), (0.6653, 0.6624, 0.6744),
                (0.7068, 0.6974, 0.7038), (0.4710, 0.4601, 0.4688)),
    "mkhan-nm": ((0.8612, 0.8715, 0.8770), (0.6885, 0.7076, 0.7190),
                 (0.7097, 0.7257, 0.7222), (0.4595, 0.4826, 0.4756)),
    "mkhan": ((0.8665, 0.8756, 0.8798), (0.7021, 0.7169, 0.7251),
              (0.7143, 0.7303, 0.7419), (0.4656, 0.4894, 0.5086)),
}  # fmt: skip
SHARES = (30, 50, 70)


@dataclass
class Experiment:
    """One data set with its graph; ``cell`` trains and measures one method on one split."""

    name: str
    pairs: list[Pair]
    known: Known | None
    out: Path
    progress: Progress
    load_encoder: Callable[[], Any] | None = None
    images: dict[str, Any] = field(default_factory=dict)
    _split: tuple[tuple[int, int], Sources, list[Pair], dict[int, list[CandidateList]]] | None = (
        None
    )
    _lists: dict[tuple[int, int], dict[int, list[CandidateList]]] = field(default_factory=dict)
    _values: dict[tuple[str, int, int, int], dict[str, dict[str, float]]] = field(
        default_factory=dict
    )

    def lists(self, share: int, seed: int) -> dict[int, list[CandidateList]]:
        if (share, seed) not in self._lists:
            self._lists[share, seed] = self._prepared(share, seed)[2]
        return self._lists[share, seed]

    def _prepared(
        self, share: int, seed: int
    ) -> tuple[Sources, list[Pair], dict[int, list[CandidateList]]]:
        """A split's training pairs and candidate lists, which are written out."""
        if self._split is None or self._split[0] != (share, seed):
            train, test = split(self.pairs, share / 100, seed=seed)
            lists = {false: candidate_lists(test, false, seed=seed) for false in FALSE}
            folder = self.out / "lists"
            folder.mkdir(parents=True, exist_ok=True)
            for false, made in lists.items():
                write_lists(folder / f"p{share}-seed{seed}-F{false}.jsonl", made)
            texts = Texts(self.known.names if self.known is not None else None)
            if self._split is not None:
                texts = self._split[1].texts
            sources = Sources(
                texts=texts,
                known=self.known,
                load_encoder=self.load_encoder,
                images=self.images,
            )
            if self._split is not None:
                # Structural embeddings do not depend on the split. Features of names do (the word
                # vectors are the training side's), and so do embeddings that read them.
                sources.warm = {
                    key: state
                    for key, state in self._split[1].warm.items()
                    if not models.get(key[0]).modal
                }
            self._split = ((share, seed), sources, train, lists)
        _, sources, train, lists = self._split
        return sources, train, lists

    def cell(self, method: str, share: int, seed: int, **options: Any) -> dict[int, Run]:
        """The runs of one method on one split, by number of false answers."""
        tag = "-".join([method, *(f"{name}-{value}" for name, value in options.items())])
        folder = self.out / "runs" / f"p{share}-seed{seed}"
        places = {false: folder / f"{tag}-F{false}.trec" for false in FALSE}
        if all(place.is_file() for place in places.values()):
            return {false: read_run(place) for false, place in places.items()}
        folder.mkdir(parents=True, exist_ok=True)
        started = time.perf_counter()
        matcher = self.fitted(method, share, seed, **options)
        _, _, lists = self._prepared(share, seed)
        runs = {}
        for false, place in places.items():
            runs[false] = run_of(matcher, lists[false])
            if runs[false]:
                write_run(place, runs[false], tag=f"osler-{method}")
                # As a resumed recipe will read it: a file's rounding can make or break a tie.
                runs[false] = read_run(place)
        seconds = time.perf_counter() - started
        told = ", ".join(
            f"F={false} P {values[PRECISION]:.4f} nDCG {values[NDCG]:.4f}"
            for false, run in runs.items()
            if run
            for values in [means(measured(lists[false], run))]
        )
        self.progress(f"{self.name} p={share} seed {seed} {tag}: {told}, {seconds:.0f} s")
        return runs

    def fitted(self, method: str, share: int, seed: int, **options: Any) -> Matcher:
        """The trained matcher; what a network learned is kept in a folder and read again."""
        sources, train, _ = self._prepared(share, seed)
        kind = matchers.get(method)
        tag = "-".join([method, *(f"{name}-{value}" for name, value in options.items())])
        place = self.out / "models" / f"{tag}-p{share}-seed{seed}"
        if place.is_dir():
            return load_matcher(place, sources)
        if "vectors" in kind.needs and sources.vectors is None:
            sources.vectors = word_vectors(sources, train, seed=seed)
        matcher = kind(sources, seed=seed, **options).fit(train, progress=self.progress)
        if isinstance(matcher, NeuralMatcher):
            save_matcher(place, matcher, train)
        return matcher

    def values(self, method: str, share: int, seed: int, false: int) -> dict[str, dict[str, float]]:
        """Precision and nDCG by question."""
        key = (method, share, seed, false)
        if key not in self._values:
            run = self.cell(method, share, seed)[false]
            self._values[key] = measured(self.lists(share, seed)[false], run)
        return self._values[key]


def read_graph(files: Sequence[Path], cache: Path, progress: Progress) -> Known:
    """A graph and its linker out of files of triples and terminologies, kept as arrays."""
    from osler.files.reader import recognise

    if not (cache / "linker").is_dir():
        progress("reading the graph")
        entities: list[Entity] = []
        triples: list[Triple] = []
        for path in files:
            source = Source(path)
            for item in recognise(source).read(source):
                if isinstance(item, Entity):
                    entities.append(item)
                elif isinstance(item, Triple):
                    triples.append(item)
        graph = Graph.build(entities, triples)
        graph.save(cache / "graph")
        Linker.build(graph).save(cache / "linker")
    return Known(Graph.load(cache / "graph"), Linker.load(cache / "linker"))


def pictures(known: Known, folder: Path, cache: Path, progress: Progress) -> dict[str, Any]:
    """Visual features of the entities that have pictures, by the trained encoder where it is
    installed, by the plain one otherwise; kept in a file."""
    from safetensors.numpy import load_file, save_file

    table = folder / "entity_images.csv"
    kept = cache / "pictures.safetensors"
    if not table.is_file():
        return {}
    if kept.is_file():
        return dict(load_file(str(kept)))
    from osler.knowledge.images import Images, image_features, load_image_encoder

    images = Images.read(table, lookup=known.graph.lookup)
    encoder = "efficientnet-lite0"
    try:
        load_image_encoder(encoder)
    except NeedsError as error:
        progress(f"pictures by the plain encoder: {error}")
        encoder = "plain"
    found = dict(image_features(images, encoder))
    if found:
        save_file(found, str(kept))
    return found


def qa_pairs(path: Path, department: str = "department") -> list[Pair]:
    """The pairs of a data set; ``department`` names the field that false answers share."""
    pairs = read_pairs([path])
    if department == "department":
        return pairs
    return [
        Pair(
            id=pair.id,
            question=pair.question,
            answer=pair.answer,
            department=pair.metadata.get(department, ""),
        )
        for pair in pairs
    ]


def averaged(
    experiment: Experiment, method: str, share: int, seeds: Sequence[int], false: int
) -> dict[str, float]:
    """The mean over seeds of each measure."""
    tables = [means(experiment.values(method, share, seed, false)) for seed in seeds]
    return {name: sum(table[name] for table in tables) / len(tables) for name in MEASURES}


def against(
    experiment: Experiment, method: str, share: int, seeds: Sequence[int], false: int
) -> dict[str, float]:
    """p of the default against a method over all questions of all seeds, by measure.

    A question that stands in several splits counts once, by its mean: splits overlap, and counting
    it again would overstate.
    """
    found: dict[str, float] = {}
    for measure in MEASURES:
        ours: dict[str, list[float]] = {}
        theirs: dict[str, list[float]] = {}
        for seed in seeds:
            for table, name in ((ours, OURS), (theirs, method)):
                for id, value in experiment.values(name, share, seed, false)[measure].items():
                    table.setdefault(id, []).append(value)
        ids = sorted(ours)
        first = [sum(ours[id]) / len(ours[id]) for id in ids]
        second = [sum(theirs[id]) / len(theirs[id]) for id in ids]
        found[measure] = bootstrap(first, second).p
    return found


def table_3(
    experiment: Experiment,
    methods: Sequence[str],
    seeds: Mapping[int, Sequence[int]],
    *,
    published: bool = True,
) -> list[str]:
    """Our numbers in the layout of Table 3, the paper's beside them in brackets.

    ``seeds`` maps each share to the seeds that were run.
    """
    head = [f"{name} (F={false})" for false in FALSE for name in ("nDCG", "Precision")]
    lines = [
        "| method | " + " | ".join(f"{h} {share}%" for h in head for share in seeds) + " |",
        "| --- |" + " --- |" * (len(head) * len(seeds)),
    ]
    for method in methods:
        cells = []
        for column, (false, measure) in enumerate(
            (false, name) for false in FALSE for name in (NDCG, PRECISION)
        ):
            for share, chosen in seeds.items():
                got = averaged(experiment, method, share, chosen, false)[measure]
                cell = f"{got:.4f}"
                if published and method in TABLE_3:
                    cell += f" ({TABLE_3[method][column][SHARES.index(share)]:.4f})"
                cells.append(cell)
        lines.append(f"| {TITLES[method]} | " + " | ".join(cells) + " |")
    return lines


def verdict(
    experiment: Experiment, methods: Sequence[str], share: int, seeds: Sequence[int]
) -> tuple[dict[str, float], list[str]]:
    """The default against every other method: numbers by name, and lines for people."""
    numbers: dict[str, float] = {}
    lines = [
        f"## The default against the others, p = {share} %, seeds {', '.join(map(str, seeds))}",
        "",
        "| method | F | Precision | nDCG | p (Precision) | p (nDCG) |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    worst = {PRECISION: 0.0, NDCG: 0.0}
    for false in FALSE:
        best = {PRECISION: 0.0, NDCG: 0.0}
        for method in methods:
            got = averaged(experiment, method, share, seeds, false)
            short = "P" if method == OURS else f"{method} P"
            numbers[f"{short} F={false}"] = got[PRECISION]
            numbers[f"{short.replace('P', 'nDCG')} F={false}"] = got[NDCG]
            tested = {PRECISION: 0.0, NDCG: 0.0}
            if method != OURS:
                tested = against(experiment, method, share, seeds, false)
                for name in MEASURES:
                    best[name] = max(best[name], got[name])
                    ahead = averaged(experiment, OURS, share, seeds, false)[name] > got[name]
                    worst[name] = max(worst[name], tested[name] if ahead else 1.0)
            told = " | ".join(f"{p:.4f}" for p in tested.values()) if method != OURS else " | "
            lines.append(
                f"| {TITLES[method]} | {false} | {got[PRECISION]:.4f} | {got[NDCG]:.4f} | {told} |"
            )
        own = averaged(experiment, OURS, share, seeds, false)
        for name, short in ((PRECISION, "P"), (NDCG, "nDCG")):
            numbers[f"{short} over the best other F={false}"] = own[name] - best[name]
    numbers["largest p, Precision"] = worst[PRECISION]
    numbers["largest p, nDCG"] = worst[NDCG]
    return numbers, lines


def chinese(name: str, data: Path, out: Path, progress: Progress) -> Experiment:
    """A Chinese set of pairs with the graph of diseases and the pictures of its entities."""
    known = read_graph([data / "kg_zh" / "triples.tsv.gz"], out / "cache", progress)
    return Experiment(
        name,
        qa_pairs(data / f"qa_zh_{name}" / "qa.jsonl.gz"),
        known,
        out,
        progress,
        images=pictures(known, data / "images", out / "cache", progress),
    )


def one_split(
    made: Experiment, methods: Sequence[str], *, share: int = 70, seed: int = 0
) -> dict[str, float]:
    """All methods on one split: the tables are written and told, the numbers given back."""
    for method in methods:
        made.cell(method, share, seed)
    numbers, told = verdict(made, methods, share, [seed])
    tables = table_3(made, methods, {share: [seed]}, published=False)
    lines = [f"# The matchers on {made.name}", "", *tables, "", *told]
    (made.out / "tables.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for line in lines:
        made.progress(line)
    return numbers
