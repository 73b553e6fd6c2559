"""The picture of :mod:`osler.rank.desk.curve_svg` in pixels."""

from __future__ import annotations

import io
from collections.abc import Sequence

import numpy as np

from osler.errors import MissingExtra
from osler.rank.desk.curve_svg import BAND, HEIGHT, INK, LINE, MUTED, WIDTH
from osler.rank.desk.simulate import Simulation
from osler.rank.desk.step import Step


def recall_png(title: str, runs: Sequence[tuple[Simulation, Sequence[Step]]]) -> bytes:
    """How recall grew, one line a run, the interval of the first behind it."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra("a curve in pixels", "plots") from None
    figure = Figure(figsize=(WIDTH / 100, HEIGHT / 100), dpi=200, layout="tight")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.set_title(title, loc="left", fontsize=10, fontweight="bold", color=INK, parse_math=False)
    axes.set_xlabel("papers read", color=INK)
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda share, _: f"{share:.0%}")
    if runs and runs[0][1]:
        steps, total = runs[0][1], len(runs[0][0].marks)
        axes.fill_between(
            [step.read / total for step in steps],
            [step.low for step in steps],
            [step.high for step in steps],
            color=BAND,
            linewidth=0,
        )
    axes.plot([0, 1], [0, 1], color=MUTED, linestyle="--", linewidth=1)
    for run, _ in runs:
        marks = np.asarray(run.marks, dtype=float)
        recall = np.concatenate([[0.0], np.cumsum(marks) / max(1.0, marks.sum())])
        axes.plot(np.linspace(0, 1, len(recall)), recall, color=LINE, linewidth=1.5)
    out = io.BytesIO()
    figure.savefig(out, format="png", metadata={"Title": title, "Software": None})
    return out.getvalue()
