"""``simulate``: finished reviews screened again, to see what the desk would have saved.

Each review is read in the order that the ranker asks for, from one relevant and one irrelevant
paper that a seed draws; at every paper it is noted what a reviewer would have been told of recall,
and whether the stopping rule would have let him go.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import numpy as np
from msgspec import Meta

from osler.errors import FormatError, InputError, MissingExtra, StorageError, UnknownId
from osler.files.archive import is_archive
from osler.files.source import Source
from osler.rank.desk.labelled import Labelled, labelled_of, read_labelled
from osler.rank.desk.recall import RecallModel
from osler.rank.desk.simulate import Simulation
from osler.rank.desk.step import Step
from osler.verbs.limits import VerbRequest

if TYPE_CHECKING:
    from osler.library import Library
    from osler.rank.labels import Label

METHOD = "elas"
MOST_BYTES = 1_000_000
"""Of a model of recall, which has a few thousand."""
Tell = Callable[[str, int, int], None]
"""Called with a review's name, the papers read so far over all seeds, and how many there are."""


class SimulateRequest(VerbRequest, frozen=True, kw_only=True):
    """``seeds`` draw so many starts; ``every`` is how many papers lie between two steps; ``recall``
    is the model of recall, None the one that ships; ``method`` what orders the papers."""

    method: str = METHOD
    seeds: Annotated[int, Meta(ge=1, le=1000)] = 5
    every: Annotated[int, Meta(ge=1)] = 1
    recall: RecallModel | None = None


class Simulated(msgspec.Struct, frozen=True):
    """One review: a run a seed with what was told at its steps."""

    name: str
    runs: tuple[tuple[Simulation, tuple[Step, ...]], ...]
    review: Labelled
    method: str = METHOD

    @property
    def summaries(self) -> list[dict[str, float | int | bool | None]]:
        """WSS@95, WSS@100, RRF@10, ATD and what stopping was worth, a row a seed."""
        from osler.rank.desk.trace import summary_of

        return [summary_of(run, steps) for run, steps in self.runs]

    @property
    def mean(self) -> dict[str, float]:
        """The measures, over the seeds."""
        rows = self.summaries
        names = ("wss95", "wss100", "rrf10", "atd")
        return {name: float(np.mean([row[name] for row in rows])) for name in names}

    def write(self, folder: str | Path) -> None:
        """``steps.tsv``, ``summary.json``, the curve as ``curve.svg`` and, where osler[plots] is
        installed, ``curve.png``, and each run as a project of ASReview, ``seed-0.asreview``."""
        from osler.rank.desk.curve_png import recall_png
        from osler.rank.desk.curve_svg import recall_svg
        from osler.rank.desk.trace import write_trace
        from osler.review.formats.asreview_file import write_run

        place = Path(folder)
        try:
            write_trace(place, self.runs, name=self.name, method=self.method)
            (place / "curve.svg").write_text(recall_svg(self.name, self.runs), encoding="utf-8")
            with contextlib.suppress(MissingExtra):
                (place / "curve.png").write_bytes(recall_png(self.name, self.runs))
            for run, _ in self.runs:
                file = place / f"seed-{run.seed}.asreview"
                file.write_bytes(
                    write_run(self.name, self.review.texts, self.review.relevant, run.order)
                )
        except OSError as error:
            raise StorageError(f"{place} cannot be written: {error.strerror}") from None


def _silent(_name: str, _done: int, _total: int) -> None:
    return


def simulate_review(
    review: Labelled, request: SimulateRequest | None = None, *, tell: Tell = _silent
) -> Simulated:
    """One review, from as many starts as there are seeds. The papers are read once."""
    from osler.rank.desk.models import model
    from osler.rank.desk.simulate import screened
    from osler.rank.desk.trace import steps_of

    asked = request or SimulateRequest()
    if sum(review.relevant) == 1:
        raise InputError(
            f"{review.name} has one relevant paper, and a simulation begins with it",
            cure="a review with two relevant papers or more leaves something to find",
        )
    screener, batch = model(asked.method, review.texts)
    truth = np.asarray(review.relevant, dtype=bool)
    papers = len(truth)
    runs = []
    for seed in range(asked.seeds):

        def progress(read: int, _: int, before: int = seed * papers) -> None:
            tell(review.name, before + read, asked.seeds * papers)

        run = screened(screener, truth, seed=seed, batch=batch, progress=progress)
        runs.append((run, tuple(steps_of(run, every=asked.every, model=asked.recall))))
    return Simulated(review.name, tuple(runs), review, asked.method)


def simulate(
    files: str | Path | Sequence[str | Path],
    *,
    label: str = "",
    method: str | Sequence[str] = METHOD,
    seeds: int = 5,
    recall: RecallModel | None = None,
    tell: Tell = _silent,
) -> list[Simulated]:
    """Reviews from labelled tables (CSV as ASReview keeps them: title, abstract, included) or
    ASReview's project files, by one method or several."""
    paths = [files] if isinstance(files, str | Path) else list(files)
    methods = [method] if isinstance(method, str) else list(method)
    reviews = [read_review(path, label=label) for path in paths]
    return [
        simulate_review(review, SimulateRequest(method=name, seeds=seeds, recall=recall), tell=tell)
        for review in reviews
        for name in methods
    ]


def read_review(path: str | Path, *, label: str = "") -> Labelled:
    """A finished review from a labelled table or a project file of ASReview. What was decided in a
    project stands before the labels that its data set came with."""
    source = Source(path)
    if not is_archive(source):
        return read_labelled(path, label=label)
    from osler.review.formats.asreview_file import read_rows

    lines = []
    for number, row in enumerate(read_rows(source), 1):
        decided = row["asreview_label"] or row.get("included", "")
        lines.append((number, {**row, "included": decided}))
    name = source.name.rsplit(".", 1)[0]
    return labelled_of(name, source.name, lines, label=label or "included")


def review_of(library: Library, labels: Sequence[Label], *, name: str = "review") -> Labelled:
    """The labelled papers of a library as a review: titles and abstracts in the labels' order."""
    from osler.rank.labels import check

    check(labels)
    topics = {label.topic for label in labels}
    if len(topics) > 1:
        raise InputError(
            f"the labels are of {len(topics)} topics", cure="give the labels of one review"
        )
    relevant = {label.document: label.relevant for label in labels}
    texts = {}
    for id in relevant:
        with contextlib.suppress(UnknownId):
            document = library.document(id)
            texts[id] = f"{document.title} {document.abstract}".strip()
    ids = [id for id in relevant if id in texts]
    if len({relevant[id] for id in ids}) < 2:
        raise InputError(
            "the library does not hold labelled papers of both kinds",
            cure="labels name papers by the ids that osler show LIB lists",
        )
    return Labelled(
        name, ids, [texts[id] for id in ids], [relevant[id] for id in ids], len(relevant) - len(ids)
    )


def fit(simulations: Sequence[Simulated]) -> RecallModel:
    """A model of recall from three finished reviews or more; :func:`write_recall` keeps it."""
    from osler.rank.desk.recall_fit import fit_recall, states_of

    names = [one.name for one in simulations]
    if len(set(names)) < len(names):
        raise InputError("two reviews have one name", cure="rename one of the files")
    return fit_recall(
        [
            state
            for one in simulations
            for run, _ in one.runs
            for state in states_of(one.name, run.marks)
        ]
    )


def write_recall(path: str | Path, model: RecallModel) -> None:
    """The model as JSON, with the names of its reviews."""
    place = Path(path)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(msgspec.json.format(msgspec.json.encode(model), indent=1) + b"\n")
    except OSError as error:
        raise StorageError(f"{place} cannot be written: {error.strerror}") from None


def read_recall(path: str | Path) -> RecallModel:
    """A model that :func:`write_recall` kept."""
    with Source(path).open() as file:
        data = file.read(MOST_BYTES)
    try:
        return msgspec.json.decode(data, type=RecallModel)
    except msgspec.MsgspecError as error:
        raise FormatError(
            f"{Path(path).name} is no model of recall: {error}",
            cure="osler simulate --fit makes one",
        ) from None
