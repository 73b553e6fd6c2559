"""The tools for assistants: five verbs with structured evidence."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from osler.errors import MissingExtra
from samples import TrigramEncoder

pytest.importorskip("mcp", reason="the extra mcp is not installed")


def call(library, name, /, **arguments):
    from mcp import Client

    from osler.serve.mcp import create_server

    async def run():
        async with Client(create_server(library, encoder=TrigramEncoder())) as client:
            if not name:
                return await client.list_tools()
            return await client.call_tool(name, arguments)

    # In a thread of its own: a browser test of this process may have left its event loop running.
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, run()).result()


def test_the_verbs_are_there(served_library):
    tools = call(served_library, "").tools
    verbs = ["search", "rank", "project", "grade", "stance", "suggest", "brief", "match", "ask"]
    reading = ["read_document", "read_entity", "find_paths", "saved_search"]
    names = [tool.name for tool in tools]
    assert [name for name in names if name in verbs] == verbs
    assert {"duplicate_records", *reading} <= set(names)
    for tool in tools:
        assert tool.description
        assert tool.annotations.read_only_hint


def test_search_gives_evidence_to_cite(served_library):
    answer = call(served_library, "search", question="budesonide asthma", limit=1)
    found = answer.structured_content
    (hit,) = found["hits"]
    assert hit["id"] == "asthma-1"
    assert "Budesonide" in hit["evidence"]["sentence"]
    assert hit["evidence"]["id"] == "asthma-1"
    assert hit["evidence"]["page"] is None
    assert found["verdict"]["kind"] in ("answered", "near", "nothing")
    assert {"Asthma", "Budesonide"} <= {c["concept"] for c in hit["concepts"]}
    assert "no medical advice" in found["notice"]


def test_match_tells_paths(served_library):
    answer = call(
        served_library, "match", question="What helps against migraine disorders?", limit=5
    )
    paths = [path for hit in answer.structured_content["hits"] for path in hit.get("paths", [])]
    assert any("Migraine" in path["path"] for path in paths)


def test_rank_learns_from_ids(served_library):
    answer = call(
        served_library, "rank", topic="rest", relevant=["sleep-01"], not_relevant=["sleep-02"]
    )
    assert answer.structured_content["hits"][0]["title"].startswith("Sleep")


def test_ask_refuses_what_is_not_there(served_library):
    answer = call(served_library, "ask", question="What does patient P99999999 take?")
    assert answer.structured_content["answers"] == []
    assert answer.structured_content["note"]


def test_an_error_is_told_with_its_code(served_library):
    answer = call(served_library, "search", question="a", years="soon")
    assert answer.is_error
    assert "E100" in answer.content[0].text
    assert call(served_library, "search", question="a", limit=0).is_error


def test_without_the_package_the_cure_is_told(served_library, monkeypatch):
    import sys

    from osler.serve.mcp import create_server

    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    with pytest.raises(MissingExtra, match=r"osler\[mcp\]"):
        create_server(served_library)


def test_what_is_kept_can_be_read(tmp_path):
    from osler import Library
    from osler.kinds import Document

    place = tmp_path / "lib"
    same = {"published": "2021", "title": "Walking after stroke in older adults of the city"}
    with Library.create(place) as library:
        library.add_documents([Document(id="x", **same), Document(id="y", **same)])
        library.save_search("mine", "title:stroke")
        library.add_documents([Document(id="z", title="stroke of luck")])
    listed = call(place, "saved_search").structured_content
    assert [each["name"] for each in listed["searches"]] == ["mine"]
    one = call(place, "saved_search", name="mine").structured_content
    assert (one["query"], one["run"], sorted(one["ids"])) == (
        "title:stroke",
        "title:stroke",
        ["x", "y"],
    )
    assert (one["now"], one["new"]) == (3, ["z"])
    assert call(place, "saved_search", name="other").is_error
    groups = call(place, "duplicate_records").structured_content
    assert [record["id"] for record in groups["records"]] == ["x", "y"]


def test_an_argument_that_no_tool_has_is_refused(served_library):
    answer = call(served_library, "search", question="asthma", year="1950")
    assert answer.is_error
    assert "E120 there is no argument 'year'; did you mean 'years'?" in answer.content[0].text
    assert not call(served_library, "search", question="asthma", years="2021").is_error


def test_a_broken_query_is_marked(served_library):
    answer = call(served_library, "search", question="asthma[zz]")
    assert answer.is_error
    assert "asthma[zz]\n      ^\n" in answer.content[0].text


def test_a_document_is_read_to_check_what_is_cited(served_library):
    cited = call(served_library, "search", question="budesonide asthma", limit=1)
    evidence = cited.structured_content["hits"][0]["evidence"]
    read = call(served_library, "read_document", id=evidence["id"]).structured_content
    quote = read["quote"]
    assert quote["text"][evidence["start"] : evidence["end"]] == evidence["sentence"]
    assert (quote["id"], quote["start"], quote["section"]) == ("asthma-1", 0, "abstract")
    assert quote["end"] == len(quote["text"])
    assert read["next"] is None
    later = call(served_library, "read_document", id="asthma-1", start=5).structured_content
    assert later["quote"]["text"] == quote["text"][5:]
    assert later["quote"]["start"] == 5


def test_what_is_not_there_is_told(served_library):
    for tool, arguments in (
        ("read_document", {"id": "nowhere"}),
        ("read_document", {"id": "asthma-1", "section": "Methods"}),
        ("read_document", {"id": "asthma-1", "page": 3}),
        ("read_document", {"id": "asthma-1", "start": 100_000}),
        ("saved_search", {"name": "none"}),
    ):
        answer = call(served_library, tool, **arguments)
        assert answer.is_error, tool
    refused = call(served_library, "read_document", id="asthma-1", page=3)
    assert "abstract" in refused.content[0].text  # what there is, to choose from


def test_pages_and_sections_are_quotes_with_their_place():
    from osler.kinds import Document, Section
    from osler.serve.mcp_reading import LONGEST, part_of

    paper = Document(
        id="1",
        title="T",
        sections=(Section("An abstract."),),
        full_text=(Section("One page.", "page 1"), Section("x" * (LONGEST + 5), "page 2")),
    )
    first = part_of(paper, "", 1, 0)["quote"]
    assert first == {
        "id": "1", "text": "One page.", "start": 0, "end": 9, "section": "page 1", "page": 1,
    }  # fmt: skip
    second = part_of(paper, "page 2", None, 0)
    assert second["next"] == LONGEST
    rest = part_of(paper, "page 2", None, second["next"])
    assert rest["quote"]["text"] == "x" * 5
    assert rest["next"] is None
    assert [each["page"] for each in rest["sections"]] == [None, 1, 2]


def test_a_quote_out_of_one_of_two_sections_of_one_name_is_found_again(tmp_path):
    """What a search quotes stands there in what ``read_document`` hands out."""
    from osler import Library
    from osler.kinds import Document, Section

    finding = "Deaths from sepsis fell by 12% with aspirin in the second cohort (p = 0.01)."
    paper = Document(
        id="1",
        title="Aspirin in sepsis",
        sections=(Section("We studied sepsis."),),
        full_text=(
            Section("Aspirin was given to mice of the first cohort.", "Statistics"),
            Section(finding, "Statistics"),
        ),
    )
    with Library.create(tmp_path / "library") as library:
        library.add_documents([paper])
    answer = call(tmp_path / "library", "search", question="aspirin sepsis deaths second cohort")
    evidence = answer.structured_content["hits"][0]["evidence"]
    assert evidence["sentence"] == finding
    read = call(tmp_path / "library", "read_document", id="1", section=evidence["section"])
    text = read.structured_content["quote"]["text"]
    assert text[evidence["start"] : evidence["end"]] == finding


def test_the_graph_is_read(served_library):
    entity = call(served_library, "read_entity", name="Asthma").structured_content
    assert entity["entity"]["id"]
    assert "neighbours" in entity
    found = call(
        served_library, "find_paths", source="Asthma", target="Budesonide"
    ).structured_content
    assert isinstance(found["paths"], list)
    assert set(found) >= {"paths", "names", "cut"}


def test_a_project_can_be_read(make_library, tmp_path):
    from samples import paper

    library = make_library([paper("a", "Statins"), paper("b", "Statins too")], name="reviewed")
    projects = library.projects
    projects.new("pain", question="why?")
    projects.search("pain", "statins")
    for stage in ("abstract", "full text"):
        projects.decide("pain", "a", "include", reviewer="ann", stage=stage)
    library.close()
    place = tmp_path / "reviewed"
    assert call(place, "project").structured_content["projects"][0]["name"] == "pain"
    answer = call(place, "project", name="pain").structured_content
    assert answer["included"] == [{"id": "a", "title": "Statins"}]
    assert answer["flow"]["screened_undecided"] == 1
    assert answer["searches"][0]["query"] == "statins"
    assert call(place, "project", name="none").is_error
