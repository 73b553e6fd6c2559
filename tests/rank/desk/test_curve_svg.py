"""The picture of how recall grew: its lines and the interval behind the first."""

import re
from xml.etree import ElementTree

from osler.rank.desk import curve_svg
from osler.rank.desk.simulate import Simulation
from osler.rank.desk.step import Step

RUN = Simulation(0, (0, 1, 2, 3), (True, False, True, False))


def points(picture, kind):
    found = ElementTree.fromstring(picture).findall(f"{{*}}{kind}")
    return [
        [tuple(map(float, pair.split(","))) for pair in one.get("points").split()] for one in found
    ]


def place(share, recall):
    width = curve_svg.WIDTH - curve_svg.LEFT - curve_svg.RIGHT
    height = curve_svg.HEIGHT - curve_svg.BOTTOM - curve_svg.TOP
    return (
        round(curve_svg.LEFT + share * width, 1),
        round(curve_svg.HEIGHT - curve_svg.BOTTOM - recall * height, 1),
    )


def test_a_line_a_run_from_nothing_to_all():
    steps = [Step(0, 2, 1, 0.25, 0.5, 1.0, False, 1.0), Step(0, 4, 2, 1.0, 1.0, 1.0, True, 0.0)]
    picture = curve_svg.recall_svg("a < b", [(RUN, steps), (RUN, [])])
    lines = points(picture, "polyline")
    assert len(lines) == 2
    grown = [(0, 0), (0.25, 0.5), (0.5, 0.5), (0.75, 1), (1, 1)]
    assert lines[0] == [place(*at) for at in grown]
    # The interval of the first: its upper ends there, its lower ends back.
    (band,) = points(picture, "polygon")
    assert band == [place(*at) for at in [(0.5, 1), (1, 1), (1, 1), (0.5, 0.25)]]
    assert "a &lt; b" in picture
    assert re.findall(r">(\d+%)<", picture)[:2] == ["0%", "0%"]


def test_without_steps_there_is_no_band_and_without_runs_no_line():
    picture = curve_svg.recall_svg
    assert points(picture("t", [(RUN, [])]), "polygon") == []
    assert points(picture("t", []), "polyline") == []
