"""What is drawn: marked text, bars, trees, paths. All escaped, all well-formed."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree, html

from osler.explain.bars_svg import bars
from osler.explain.flow_svg import MOST, flow
from osler.explain.marks_html import Span, heat, kind_of, marked, with_sentence
from osler.explain.tree_svg import Branch, Leaf, few, fitted, tree, width_of
from osler.kinds import Path, PathReason, Step

EVIL = "<b>x</b>&\"'"
TEXTS = st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=60)


def plain(markup: str) -> str:
    return html.fragment_fromstring(markup, create_parent="div").text_content()


@given(
    text=TEXTS.filter(lambda t: "\ufffe" not in t and "\uffff" not in t),
    spans=st.lists(st.tuples(st.integers(-5, 70), st.integers(-5, 70)), max_size=6),
    shift=st.integers(0, 20),
    sentence=st.none() | st.tuples(st.integers(0, 60), st.integers(0, 80)),
)
def test_marks_never_change_the_text(text, spans, shift, sentence):
    made = with_sentence(text, [Span(a, b, "disease") for a, b in spans], sentence, shift=shift)
    assert plain(made) == text


def test_marks_are_where_they_should_be():
    spans = [Span(0, 6, "disease", 'an "illness"', "/graph?entity=a&b"), Span(3, 9), Span(11, 16)]
    made = marked("Asthma and cough", spans)
    assert made == (
        '<a class="c c-disease" href="/graph?entity=a&amp;b" title="an &quot;illness&quot;">'
        "Asthma</a> and <mark>cough</mark>"
    )
    assert "<b>" not in marked(EVIL, [Span(0, len(EVIL), EVIL, EVIL)])


def test_a_sentence_keeps_the_marks_inside_it():
    made = with_sentence("One. Two three. Four.", [Span(105, 108, "drug")], (105, 115), shift=100)
    assert made.startswith("One. ")
    assert '<span class="evidence"><span class="c c-drug">Two</span> three.</span> Four.' in made


def test_kinds_of_both_languages():
    assert kind_of("Disease") == kind_of("疾病") == "disease"
    assert kind_of("Chemical or drug") == kind_of("药物") == "drug"
    assert kind_of("") == kind_of("Humanities") == "other"


def test_heat_is_by_share_of_the_warmest():
    made = heat(
        [("hot", 2.0), ("warm", 1.0), ("cold", 0.0), ("below", -1.0), ("咳", 0.1), ("嗽", 0.1)]
    )
    assert re.findall(r"h h(\d)", made) == ["5", "2", "0", "0", "0", "0"]
    assert plain(made) == "hot warm cold below 咳嗽"


def parsed(svg: str) -> etree._Element:
    root = etree.fromstring(svg)
    assert root.tag == "svg"
    assert "style" not in svg
    return root


def test_bars_go_both_ways():
    root = parsed(bars([("words", 2.0), (EVIL, -1.0)], about=EVIL))
    more, less = root.findall("rect")
    assert more.get("class") == "more"
    assert float(more.get("width")) == 2 * float(less.get("width"))
    assert float(less.get("x")) + float(less.get("width")) == float(more.get("x"))
    assert bars([], about="nothing") == ""


def test_a_tree_names_everything_once():
    root = parsed(
        tree(
            Leaf(EVIL, "disease"),
            [Branch("is a", [Leaf("a", href="/x?a&b"), Leaf("很长" * 60)]), Branch("empty", [])],
            about="around",
        )
    )
    texts = ["".join(t.itertext()) for t in root.iter("text")]
    assert texts[0] == EVIL
    assert len(texts) == 4
    assert texts[-1].endswith("…")
    assert tree(Leaf("alone"), [], about="nothing") == ""
    assert [leaf.name for leaf in few([Leaf(str(n)) for n in range(5)], 3)] == [
        "0",
        "1",
        "and 3 more",
    ]


@given(TEXTS, st.floats(20, 400))
def test_fitted_text_fits(text, width):
    assert width_of(fitted(text, width)) <= max(width, width_of("…"))


def reason(weight, *entities, inverse=False):
    steps = tuple(Step("leads to", entity, inverse) for entity in entities[1:])
    return PathReason(Path(entities[0], steps), weight, {id: f"name {id}" for id in entities})


def test_paths_run_from_left_to_right():
    root = parsed(
        flow(
            [reason(0.5, "q", "m", "a"), reason(0.3, "q", "a"), reason(0.2, "q2", "n", "a2")],
            about="paths",
            type_of=lambda id: "Disease",
            href=lambda id: f"/graph?entity={id}",
        )
    )
    place = {
        "".join(g.find("title").itertext()): float(g.find("rect").get("x")) for g in root.iter("g")
    }
    assert place["name q"] == place["name q2"] < place["name m"] == place["name n"]
    assert place["name m"] < place["name a"] == place["name a2"]
    widths = {float(p.get("stroke-width")) for p in root.iter("path")}
    assert max(widths) == 5.0
    assert len(list(root.iter("a"))) == len(place) == 6


def test_no_path_is_no_picture_and_many_are_cut():
    assert flow([], about="none", type_of=str) == ""
    assert flow([PathReason(Path("a", ()), 1.0)], about="none", type_of=str) == ""
    many = [reason(1 / (n + 1), "q", f"a{n:03d}") for n in range(3 * MOST)]
    root = parsed(flow(many, about="many", type_of=lambda id: ""))
    assert len(list(root.iter("g"))) == MOST + 1


def test_an_entity_at_both_ends_stands_twice():
    root = parsed(flow([reason(1.0, "x", "m", "x")], about="loop", type_of=lambda id: ""))
    assert len(list(root.iter("g"))) == 3
