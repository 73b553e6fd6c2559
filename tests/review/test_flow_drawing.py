"""The flow diagram's layout: every box holds its lines, arrows go from box to box."""

import io
from xml.etree import ElementTree

import numpy as np
import pytest

from osler.review.flow import Flow
from osler.review.flow_drawing import (
    BAR,
    LINE,
    PAD,
    RULE,
    SHADE,
    WIDE,
    WIDTH,
    flow_png,
    flow_svg,
    laid_out,
)

FLOW = Flow(
    sources={"PubMed": 1200, "A source with a name that is too long for one line of a box": 30},
    identified=1230,
    duplicates=30,
    other=0,
    screened=1200,
    screened_excluded=1000,
    screened_undecided=5,
    screened_reasons={},
    sought=195,
    not_retrieved=5,
    assessed=190,
    assessed_excluded=170,
    assessed_undecided=0,
    assessed_reasons={"wrong population": 100, "no <control>": 70},
    included=20,
)


@pytest.fixture(scope="module")
def picture():
    return ElementTree.fromstring(flow_svg(FLOW, title="Pain & sleep"))


def of_class(picture, name):
    return [part for part in picture.iter() if part.get("class") == name]


def numbers(part, *names):
    return [float(part.get(name)) for name in names]


def boxes(picture):
    return [numbers(box, "x", "y", "width", "height") for box in of_class(picture, "box")]


def test_boxes_are_apart_and_inside_the_picture(picture):
    every = boxes(picture)
    assert len(every) == 9
    height = float(picture.get("height"))
    for x, y, wide, high in every:
        assert x >= 0
        assert y >= 0
        assert x + wide <= WIDTH
        assert y + high <= height
    for number, (x, y, wide, high) in enumerate(every):
        for left, top, wider, higher in every[number + 1 :]:
            assert x + wide <= left or left + wider <= x or y + high <= top or top + higher <= y


def test_every_line_stands_in_a_box_of_its_own_place(picture):
    texts = [part for part in picture.iter() if part.tag.endswith("text") and part.get("x")]
    lines = [(*numbers(text, "x", "y"), text.text) for text in texts]
    words = [text for _, _, text in lines]
    assert "Records identified (n = 1,230)" in words
    assert "wrong population (n = 100)" in words
    assert "no <control> (n = 70)" in words
    assert len({(x, y) for x, y, _ in lines}) == len(lines)
    for x, y, text in lines:
        inside = [b for b in boxes(picture) if b[0] < x < b[0] + b[2] and b[1] < y < b[1] + b[3]]
        assert len(inside) == 1, text


def test_arrows_end_at_boxes_with_their_heads_that_way(picture):
    ways, heads = of_class(picture, "way"), of_class(picture, "head")
    assert len(ways) == len(heads) == 8
    tops = {(x + WIDE / 2, y) for x, y, _, _ in boxes(picture)}
    downward = 0
    for way, head in zip(ways, heads, strict=True):
        x1, y1, x2, y2 = numbers(way, "x1", "y1", "x2", "y2")
        tip, *wings = [tuple(map(float, p.split(","))) for p in head.get("points").split()]
        assert tip == (x2, y2)
        if x1 == x2:
            downward += 1
            assert y2 > y1
            assert (x2, y2) in tops
            assert sorted(wings) == [(x2 - 4, y2 - 8), (x2 + 4, y2 - 8)]
        else:
            assert y1 == y2
            assert x2 > x1
            assert any(x2 == x and y <= y2 <= y + high for x, y, _, high in boxes(picture))
            assert sorted(wings) == [(x2 - 8, y2 - 4), (x2 - 8, y2 + 4)]
    assert downward == 4


def test_bands_name_the_parts_beside_their_boxes(picture):
    drawing = laid_out(FLOW)
    assert [name for name, _, _ in drawing.bands] == ["Identification", "Screening", "Included"]
    assert drawing.bands[1][1] == drawing.rows[1][0].top
    last = drawing.rows[3]
    assert drawing.bands[1][2] == last[0].top + max(box.height for box in last)
    # A band is never shorter than its name.
    assert drawing.bands[2][2] - drawing.bands[2][1] >= 8 * len("Included")
    box = drawing.rows[0][0]
    assert box.height == LINE * len(box.lines) + 2 * PAD
    assert len(of_class(picture, "band")) == 3


def test_in_pixels_boxes_bands_and_words_stand_where_the_drawing_has_them(picture):
    pixels = pytest.importorskip("matplotlib.image")
    image = pixels.imread(io.BytesIO(flow_png(FLOW, title="t")))[..., :3]
    drawing = laid_out(FLOW)
    assert image.shape[:2] == (2 * drawing.height, 2 * WIDTH)

    def part(x, y, wide, high):
        return image[round(2 * y) : round(2 * (y + high)), round(2 * x) : round(2 * (x + wide))]

    def has(region, colour):
        wanted = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
        return bool((np.abs(region - wanted).max(axis=-1) < 0.06).any())

    for _, begun, end in drawing.bands:
        band = part(4, begun, BAR, end - begun)
        assert has(band[:, 2:6], SHADE)
        # Its name, in ink.
        assert (band.max(axis=-1) < 0.3).any()
    for x, y, wide, high in boxes(picture):
        for edge in (part(x - 1, y + 8, 2, 4), part(x + wide - 1, y + 8, 2, 4)):
            assert has(edge, RULE)
        for number in range(round((high - 2 * PAD) / LINE)):
            assert (part(x + PAD, y + PAD + LINE * number, 60, LINE).max(axis=-1) < 0.3).any()
    for way in of_class(picture, "way"):
        x1, y1, x2, y2 = numbers(way, "x1", "y1", "x2", "y2")
        assert has(part((x1 + x2) / 2 - 2, (y1 + y2) / 2 - 2, 4, 4), RULE)
