"""The flow diagram's layout: every box holds its lines, arrows go from box to box."""

from xml.etree import ElementTree

import pytest

from osler.review.flow import Flow
from osler.review.flow_drawing import LINE, PAD, WIDE, WIDTH, flow_svg, laid_out

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
