"""The graph opens in place: neighbours, hiding, pins, where edges come from; all in the address."""

from __future__ import annotations

import html
import re

from osler.explain.tree_svg import Act, Branch, Leaf, tree
from osler.serve.around import OPENED, Drawn, drawn_of


def act(text: str, name: str) -> str:
    found = re.search(rf'<a class="act" href="([^"]+)" aria-label="{re.escape(name)}"', text)
    assert found, name
    return html.unescape(found.group(1))


def test_a_neighbour_opens_in_place_and_closes_again(client):
    first = client.get("/graph?entity=Asthma").text
    assert 'aria-label="Open Cough here"' in first
    opened = client.get(act(first, "Open Cough here")).text
    assert "COVID-19" in opened.split('<svg class="tree"')[1].split("</svg>")[0]
    closed = client.get(act(opened, "Close Cough")).text
    assert 'aria-label="Open Cough here"' in closed
    part = client.get(act(first, "Open Cough here"), headers={"X-Part": "results"}).text
    assert "<html" not in part
    assert 'aria-label="Close Cough"' in part


def test_what_is_hidden_is_named_and_comes_back(client):
    first = client.get("/graph?entity=Asthma").text
    hidden = client.get(act(first, "Hide Cough")).text
    drawing = hidden.split('<svg class="tree"')[1].split("</svg>")[0]
    assert "Cough" not in drawing
    assert "show it again" in hidden
    href = re.search(r'Hidden: <a class="act" href="([^"]+)"', hidden)
    assert href
    assert "Open Cough here" in client.get(html.unescape(href.group(1))).text


def test_two_pins_offer_the_paths_between_them(client):
    first = client.get("/graph?entity=Asthma").text
    one = client.get(act(first, "Pin Asthma")).text
    assert "Paths between" not in one
    two = client.get(act(one, "Pin Cough")).text
    assert "Paths between Asthma and Cough" in two
    assert "Paths between" not in client.get(act(two, "Unpin Cough")).text


def test_edges_tell_where_they_come_from(client):
    text = client.get("/graph?entity=Asthma").text
    assert "Where these edges come from" in text
    assert re.search(r"Asthma treated by Budesonide <span[^>]*>[^<]+\.\w+", text)


def test_an_address_has_limits():
    drawn = drawn_of("A", [str(n) for n in range(100)], ["h"] * 100, ["p"] * 100)
    assert (len(drawn.opened), len(drawn.hidden), len(drawn.pinned)) == (OPENED, 50, 10)
    again = Drawn("A", ("b", "c")).with_("opened", "b")
    assert again.opened == ("c", "b")
    assert again.without("opened", "c").href == "/graph?entity=A&open=b"


def test_a_tree_grows_to_the_right_and_escapes():
    inner = Branch("treats", [Leaf("Fever")])
    leaf = Leaf("Aspirin", acts=(Act("+", 'Open "it"', "/x?a=1&b=2"),), branches=(inner,))
    drawn = tree(Leaf("Pain"), [Branch("treated by", [leaf, Leaf("Rest")], "a.tsv")], about="x")
    places = [float(x) for x in re.findall(r'class="box" x="(\d+)"', drawn)]
    # The root, what stands around it, what was opened, and the second of the first again.
    assert places[0] < places[1] < places[2]
    assert places[3] == places[1]
    assert 'href="/x?a=1&amp;b=2" aria-label="Open &quot;it&quot;"' in drawn
    assert "<title>treated by: a.tsv</title>" in drawn
    assert tree(Leaf("Pain"), [Branch("none")], about="x") == ""
