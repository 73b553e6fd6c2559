"""The PRISMA 2020 flow diagram, drawn: one layout, as SVG, and as PNG with the extra ``plots``."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterator
from html import escape

import msgspec

from osler.errors import MissingExtra
from osler.review.flow import Flow

WIDE, LEFT, GAP, LINE, PAD, BETWEEN, BAR = 300, 44, 60, 18, 12, 34, 26
WIDTH = LEFT + 2 * WIDE + GAP + PAD
LETTERS = 42
"""Characters of a line in a box."""
INK, RULE, PAPER, SHADE = "#1d2226", "#565e66", "#ffffff", "#e6f1ee"


class Box(msgspec.Struct, frozen=True):
    """A box with its lines of text; ``side`` is 0 for the way down and 1 for what leaves it."""

    side: int
    top: int
    lines: tuple[str, ...]

    @property
    def left(self) -> int:
        return LEFT + self.side * (WIDE + GAP)

    @property
    def height(self) -> int:
        return LINE * len(self.lines) + 2 * PAD


class Drawing(msgspec.Struct, frozen=True):
    """Boxes in rows, the bands that name the parts of the flow, and how high it all is."""

    rows: tuple[tuple[Box, ...], ...]
    bands: tuple[tuple[str, int, int], ...]
    height: int


def _counted(text: str, count: int, *, under: str = "") -> Iterator[str]:
    line = f"{text} (n = {count:,})"
    yield from textwrap.wrap(under + line, LETTERS, subsequent_indent=under and "    ")


def _texts(flow: Flow) -> Iterator[tuple[str, list[str], list[str]]]:
    """Part of the flow, lines of the box on the way down, lines of the one beside it."""
    sources = [line for name, n in flow.sources.items() for line in _counted(name, n, under="  ")]
    other = list(_counted("Removed for other reasons", flow.other, under="  "))
    yield (
        "Identification",
        [*_counted("Records identified", flow.identified), *sources],
        [
            "Removed before screening:",
            *_counted("Duplicates", flow.duplicates, under="  "),
            *(other if flow.other else []),
        ],
    )
    yield (
        "Screening",
        list(_counted("Records screened", flow.screened)),
        _left("Records excluded", flow.screened_excluded, {}, flow.screened_undecided),
    )
    yield (
        "Screening",
        list(_counted("Reports sought for retrieval", flow.sought)),
        list(_counted("Reports not retrieved", flow.not_retrieved)),
    )
    yield (
        "Screening",
        list(_counted("Reports assessed for eligibility", flow.assessed)),
        _left(
            "Reports excluded",
            flow.assessed_excluded,
            flow.assessed_reasons,
            flow.assessed_undecided,
        ),
    )
    yield "Included", list(_counted("Studies included in review", flow.included)), []


def _left(text: str, count: int, reasons: dict[str, int], undecided: int) -> list[str]:
    lines = list(_counted(text, count))
    for reason, number in reasons.items():
        lines += _counted(reason, number, under="  ")
    if undecided:
        lines += _counted("Not yet decided on", undecided)
    return lines


def laid_out(flow: Flow) -> Drawing:
    """Where everything stands."""
    top = PAD
    rows: list[tuple[Box, ...]] = []
    bands: dict[str, tuple[int, int]] = {}
    for part, down, beside in _texts(flow):
        row = [Box(0, top, tuple(down))] + ([Box(1, top, tuple(beside))] if beside else [])
        # A band is as high as its name is long.
        alone = part not in bands and part != "Screening"
        high = max(*(box.height for box in row), 8 * len(part) if alone else 0)
        begun, _ = bands.get(part, (top, 0))
        bands[part] = (begun, top + high)
        rows.append(tuple(row))
        top += high + BETWEEN
    named = tuple((part, begun, end) for part, (begun, end) in bands.items())
    return Drawing(tuple(rows), named, top - BETWEEN + PAD)


def flow_svg(flow: Flow, *, title: str) -> str:
    """An SVG that stands alone; a page's styles may colour it by its classes."""
    drawing = laid_out(flow)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="prisma" '
        f'viewBox="0 0 {WIDTH} {drawing.height}" width="{WIDTH}" height="{drawing.height}" '
        f'role="img" font-family="system-ui, sans-serif" font-size="13" fill="{INK}">',
        f"<title>{escape(title)}</title>",
        f'<rect class="ground" width="{WIDTH}" height="{drawing.height}" fill="{PAPER}"/>',
    ]
    for part, begun, end in drawing.bands:
        middle = (begun + end) / 2
        parts.append(
            f'<rect class="band" x="4" y="{begun}" width="{BAR}" height="{end - begun}" rx="5" '
            f'fill="{SHADE}"/><text text-anchor="middle" font-weight="600" '
            f'transform="translate({4 + BAR / 2 + 4:.0f} {middle:.0f}) rotate(-90)">{part}</text>'
        )
    parts += [_arrow(*arrow) for arrow in _arrows(drawing)]
    for row in drawing.rows:
        for box in row:
            parts.append(
                f'<rect class="box" x="{box.left}" y="{box.top}" width="{WIDE}" '
                f'height="{box.height}" rx="5" fill="{PAPER}" stroke="{RULE}"/>'
            )
            for number, line in enumerate(box.lines):
                inset = len(line) - len(line.lstrip())
                parts.append(
                    f'<text x="{box.left + PAD + 5 * inset}" '
                    f'y="{box.top + PAD + LINE * number + 13}">{escape(line.strip())}</text>'
                )
    return "\n".join([*parts, "</svg>\n"])


def _arrows(drawing: Drawing) -> Iterator[tuple[float, float, float, float]]:
    """From box to box: down, and to what leaves."""
    for number, row in enumerate(drawing.rows):
        first = row[0]
        if len(row) > 1:
            y = first.top + min(first.height, row[1].height) / 2
            yield first.left + WIDE, y, row[1].left, y
        if number + 1 < len(drawing.rows):
            x = first.left + WIDE / 2
            yield x, first.top + first.height, x, drawing.rows[number + 1][0].top


def _arrow(x1: float, y1: float, x2: float, y2: float) -> str:
    """A line with a head."""
    if x1 == x2:
        head = f"{x2},{y2} {x2 - 4},{y2 - 8} {x2 + 4},{y2 - 8}"
    else:
        head = f"{x2},{y2} {x2 - 8},{y2 - 4} {x2 - 8},{y2 + 4}"
    return (
        f'<line class="way" x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{RULE}"/>'
        f'<polygon class="head" points="{head}" fill="{RULE}"/>'
    )


def flow_png(flow: Flow, *, title: str) -> bytes:
    """The same picture in pixels."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
        from matplotlib.patches import FancyBboxPatch
    except ImportError:
        raise MissingExtra("a diagram in pixels", "plots") from None
    drawing = laid_out(flow)
    figure = Figure(figsize=(WIDTH / 100, drawing.height / 100), dpi=200)
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_xlim(0, WIDTH)
    axes.set_ylim(drawing.height, 0)
    axes.axis("off")

    def box(x: float, y: float, wide: float, high: float, fill: str, edge: str) -> None:
        style = "round,pad=0,rounding_size=5"
        axes.add_patch(
            FancyBboxPatch((x, y), wide, high, boxstyle=style, facecolor=fill, edgecolor=edge)
        )

    for part, begun, end in drawing.bands:
        box(4, begun, BAR, end - begun, SHADE, SHADE)
        axes.text(4 + BAR / 2, (begun + end) / 2, part, rotation=90, ha="center", va="center",
                  fontsize=9, fontweight="bold", color=INK)  # fmt: skip
    for x1, y1, x2, y2 in _arrows(drawing):
        style = {"arrowstyle": "-|>", "color": RULE}
        axes.annotate("", xy=(x2, y2), xytext=(x1, y1), arrowprops=style)
    for row in drawing.rows:
        for one in row:
            box(one.left, one.top, WIDE, one.height, PAPER, RULE)
            for number, line in enumerate(one.lines):
                y = one.top + PAD + LINE * number + 13
                axes.text(one.left + PAD, y, line, fontsize=9, color=INK, parse_math=False)
    out = io.BytesIO()
    figure.savefig(out, format="png", metadata={"Title": title, "Software": None})
    return out.getvalue()
