"""The pictures of the page of benchmarks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from beside import Curve

OWN, PEER, GREY = "#1f5f8b", "#c0632b", "#777777"


def _axes(width: float, height: float, columns: int = 1) -> tuple[Any, Any]:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, columns, figsize=(width, height), layout="constrained")
    return figure, axes


def _save(figure: Any, path: Path) -> None:
    from matplotlib import pyplot

    # Without the program's name and version a picture changes only when its numbers do.
    figure.savefig(path, dpi=110, metadata={"Software": None})
    pyplot.close(figure)


def draw_ratios(bars: Sequence[tuple[str, float, float, float]], path: Path) -> None:
    """How many times as quick Osler is as each peer, with the range over repeats."""
    if not bars:
        return
    figure, axis = _axes(8.5, 0.9 + 0.32 * len(bars))
    names = [bar[0] for bar in bars]
    middle = [bar[1] for bar in bars]
    spread = [[m - b[2] for m, b in zip(middle, bars, strict=True)]]
    spread.append([b[3] - m for m, b in zip(middle, bars, strict=True)])
    colours = [OWN if value >= 1 else PEER for value in middle]
    axis.barh(names, [value - 1 for value in middle], left=1, color=colours, height=0.6)
    axis.errorbar(middle, names, xerr=spread, fmt="none", ecolor=GREY, capsize=2, lw=1)
    axis.axvline(1, color="black", lw=0.8)
    axis.axvline(1 / 3, color=GREY, lw=0.8, ls=":")
    axis.set_xscale("log")
    axis.invert_yaxis()
    axis.set_xlabel("times as quick as the peer, processor time (dotted: the bar, a third)")
    _save(figure, path)


def draw_quality(sets: Mapping[str, Mapping[str, float]], path: Path) -> None:
    """nDCG@10 of every method on every set."""
    if not sets:
        return
    figure, axes = _axes(8.5, 3.8, len(sets))
    for axis, (title, facts) in zip(axes if len(sets) > 1 else [axes], sets.items(), strict=True):
        names = sorted(facts, key=lambda name: facts[name])
        colours = [PEER if "," in name else OWN for name in names]
        axis.barh(names, [facts[name] for name in names], color=colours, height=0.6)
        axis.set_title(title, fontsize=10)
        axis.set_xlabel("nDCG@10")
        axis.tick_params(labelsize=8)
    _save(figure, path)


def draw_growth(curves: Sequence[Curve], path: Path) -> None:
    """Time and memory against size, both axes by powers of ten."""
    if not curves:
        return
    from matplotlib.ticker import NullFormatter

    figure, axes = _axes(9.5, 3.8, 2 * len(curves))
    axes = list(axes)
    for curve, pair in zip(curves, zip(axes[::2], axes[1::2], strict=True), strict=True):
        for axis, endings, what in zip(
            pair, ((" s", " ms"), (" MB",)), ("seconds", "MB"), strict=True
        ):
            for name, values in curve.values.items():
                if name.endswith(endings):
                    scale = 1e-3 if name.endswith(" ms") else 1.0
                    label = name.rpartition(" ")[0] + (" (a query)" if scale < 1 else "")
                    points = [value * scale for value in values]
                    axis.plot(curve.sizes, points, marker="o", ms=3, lw=1.2, label=label)
            axis.set(xscale="log", yscale="log", xlabel=curve.x, ylabel=what)
            axis.set_xticks(curve.sizes, labels=[f"{size:,}" for size in curve.sizes])
            axis.xaxis.set_minor_formatter(NullFormatter())
            axis.yaxis.set_minor_formatter(NullFormatter())
            axis.legend(fontsize=6)
            axis.tick_params(labelsize=7)
    _save(figure, path)
