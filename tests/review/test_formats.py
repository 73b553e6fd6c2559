"""Round trips: a project through other programs' formats, and what these decided on the way."""

from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from osler.errors import ChoiceError, FormatError, InputError
from osler.kinds import Author
from osler.library import Library
from osler.review.entries import STAGES, VERDICTS
from osler.review.formats.seal import unseal
from osler.verbs.project_files import LOG, formats, suffix_of
from samples import paper

FORMATS = [name for name in formats() if name != LOG]
PAPERS = [
    paper(
        f"id-{n}",
        f"Statins, muscle pain and age: trial {n}",
        f"BACKGROUND: Pain is common. RESULTS: It fell by {n} %; p < 0.05.",
        authors=(Author("Müller", "Ann B."), Author("Consortium")),
        journal="Journal of Lipids",
        published=f"20{10 + n}-03",
        keywords=("statins", "pain"),
        ids={"doi": f"10.1000/x{n}"} | ({"pmid": str(900 + n)} if n % 2 else {}),
        metadata={"volume": "7", "pages": "11-19"},
    )
    for n in range(5)
]
# Signs that part fields in one format or another, other scripts, and breaks.
texts = st.text(
    alphabet=st.sampled_from(list("ab |;,\"{}=>[]'\n\t\\-@+<&é中0:#"))
    | st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp"), max_codepoint=0x2FFF),
    max_size=20,
)
names = texts.map(lambda text: " ".join(text.split())).filter(
    lambda text: bool(text) and text.isprintable()
)
words = st.lists(
    st.tuples(
        st.sampled_from([p.id for p in PAPERS]),
        st.sampled_from(VERDICTS),
        st.sampled_from(STAGES),
        st.integers(0, 2),
        st.integers(0, 2),
        texts,
        st.lists(names, max_size=2),
    ),
    max_size=14,
)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    with Library.create(tmp_path_factory.mktemp("formats") / "lib") as library:
        library.add_documents(PAPERS)
        yield library


def state(project):
    return project.decisions, project.resolved, project.missing


@pytest.mark.parametrize("format", formats())
@given(
    words=words,
    people=st.lists(names, min_size=3, max_size=3, unique=True),
    reasons=st.lists(names, min_size=3, max_size=3, unique=True),
    numbers=st.integers(1, 2),
)
# A failure costs minutes to shrink: each step makes a library.
@settings(max_examples=10, phases=(Phase.explicit, Phase.generate))
def test_nothing_is_lost_on_the_way_back(
    shelf, tmp_path_factory, format, words, people, reasons, numbers
):
    projects = shelf.projects
    name = f"{format} {len(projects.names())}"
    projects.new(name, reasons=reasons, reviewers=numbers)
    projects.search(name, "statins")
    for id, verdict, stage, who, why, note, tags in words:
        project = projects.get(name)
        if id not in project.at_stage(stage):
            continue
        resolves = id in project.conflicts(stage) and verdict in ("include", "exclude")
        resolves = resolves and people[who] not in project.words_on(stage, id)
        projects.decide(
            name,
            id,
            verdict,
            reviewer=people[who],
            stage=stage,
            reason=reasons[why] if verdict == "exclude" else "",
            note=note,
            tags=tags,
            resolves=resolves,
        )
    for id in projects.get(name).at_stage("full text")[:1]:
        if not projects.get(name).words_on("full text", id):
            projects.not_retrieved(name, id, reviewer=people[0], note="gone")
    folder = tmp_path_factory.mktemp("trip")
    file = folder / f"out.{suffix_of(format)}"
    file.write_bytes(projects.export(name, format))
    with Library.create(folder / "empty") as empty:
        if format != LOG:
            empty.projects.new(name, reviewers=numbers)
        came = empty.projects.import_file(name, file)
        assert (came.rejected, came.damaged) == (0, 0)
        before, after = projects.get(name), empty.projects.get(name)
        assert set(after.papers) == set(before.papers)
        assert state(after) == state(before)
        one, two = projects.prisma(name), empty.projects.prisma(name)
        assert (one.sought, one.assessed_reasons, one.included) == (
            two.sought,
            two.assessed_reasons,
            two.included,
        )
        for known in PAPERS:
            came_back = empty.document(known.id)
            assert came_back.title == known.title
            assert came_back.abstract.split()[-3:] == known.abstract.split()[-3:]
            assert came_back.ids.get("doi") == known.ids["doi"]
        if format == LOG:
            assert [entry.at for _, entry in after.history] == [
                entry.at for _, entry in before.history
            ]
        else:
            # Read once more, the file brings nothing new: its records had come out of here.
            again = empty.projects.import_file(name, file)
            assert (again.counted, again.decisions, again.papers) == (0, 0, 0)
            assert empty.projects.prisma(name) == two


@pytest.fixture
def begun(make_library):
    projects = make_library(PAPERS[:3]).projects
    projects.new("p", reasons=["wrong population", "no control"])
    projects.search("p", "statins")
    projects.decide("p", "id-0", "include", reviewer="Ann", tags=["key"], note="good")
    projects.decide("p", "id-1", "exclude", reviewer="Ann", reason="no control")
    return projects


def table(projects, format):
    return list(csv.DictReader(io.StringIO(projects.export("p", format).decode())))


def put(path, rows):
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_what_each_program_sees(begun):
    by_title = {row["title"][-1]: row for row in table(begun, "rayyan")}
    rest, sealed, _ = unseal(by_title["0"]["notes"])
    assert rest == (
        'RAYYAN-INCLUSION: {"Ann"=>"Included"} | RAYYAN-LABELS: key | USER-NOTES: {"Ann"=>["good"]}'
    )
    assert sealed is not None
    assert sealed.id == "id-0"
    assert "RAYYAN-EXCLUSION-REASONS: no control" in by_title["1"]["notes"]
    labels = {row["title"][-1]: row["included"] for row in table(begun, "asreview")}
    assert labels == {"0": "1", "1": "0", "2": ""}
    covidence = {row["Title"][-1]: row for row in table(begun, "covidence")}
    assert covidence["1"]["Notes"].startswith("Exclusion reason: no control;")
    assert covidence["0"]["Tags"] == "key"
    eppi = json.loads(begun.export("p", "eppi"))
    codes = {
        code["AttributeId"]: code["AttributeName"]
        for one in eppi["CodeSets"]
        for code in one["Attributes"]["AttributesList"]
    }
    told = {
        one["Title"][-1]: [codes[code["AttributeId"]] for code in one["Codes"]]
        for one in eppi["References"]
    }
    assert told == {
        "0": ["INCLUDE on Screen on Title & Abstract"],
        "1": ["EXCLUDE on no control"],
        "2": [],
    }
    ris = begun.export("p", "ris").decode()
    assert ris.count("N1  - ASReview_relevant") == 1
    assert ris.count("N1  - ASReview_not_seen") == 1
    assert "N1  - exclude (abstract) by Ann; reason: no control" in ris


def test_what_was_decided_elsewhere_comes_in(begun, tmp_path):
    rows = table(begun, "rayyan")
    for row in rows:
        if row["title"].endswith("2"):
            row["notes"] = (
                'RAYYAN-INCLUSION: {"Bob"=>"Excluded", "Ann"=>"Maybe"} | '
                'RAYYAN-EXCLUSION-REASONS: animals,other | USER-NOTES: {"Bob"=>["mice, only"]} | '
                + row["notes"]
            )
        if row["title"].endswith("0"):
            row["notes"] = row["notes"].replace('"Included"', '"Excluded"')
    came = begun.import_file("p", put(tmp_path / "back.csv", rows))
    assert (came.decisions, came.counted, came.returned) == (3, 0, 3)
    now = begun.get("p")
    bob = now.words_on("abstract", "id-2")["Bob"]
    assert (bob.verdict, bob.reason, bob.note) == ("exclude", "animals", "mice, only")
    assert now.words_on("abstract", "id-2")["Ann"].verdict == "maybe"
    assert now.words_on("abstract", "id-0")["Ann"].verdict == "exclude"
    # The project's list has the reason that came in.
    assert now.card.reasons == ("wrong population", "no control", "animals")
    rows = table(begun, "asreview")
    for row in rows:
        row["asreview_label"] = "1" if row["title"].endswith("2") else ""
        row["asreview_note"] = "seen"
    begun.import_file("p", put(tmp_path / "asreview.csv", rows))
    word = begun.get("p").words_on("abstract", "id-2")["asreview"]
    assert (word.verdict, word.note) == ("include", "seen")


def test_files_that_other_programs_wrote(make_library, tmp_path):
    """Shapes as the programs' own exports have them; every value is invented."""
    projects = make_library([]).projects
    projects.new("p")
    head = "key,title,year,month,day,journal,issn,volume,issue,pages,authors,url,language,"
    head += "publisher,location,abstract,notes,pubmed_id,pmc_id"
    rayyan = tmp_path / "rayyan.csv"
    rayyan.write_text(
        f"{head}\n"
        'rayyan-1,Statins and pain,2020,3,1,J Lipids,,7,1,11-19,"Berg, A. and Tal, B.",,eng,,,'
        'Pain fell.,"RAYYAN-INCLUSION: {""Ann""=>""Included"",""Bob""=>""Excluded""} | '
        'RAYYAN-LABELS: a,b | RAYYAN-EXCLUSION-REASONS: wrong outcome",901,\n'
        "rayyan-2,Statins and sleep,2021,,,J Lipids,,,,,,,eng,,,Sleep fell.,,,\n"
    )
    came = projects.import_file("p", rayyan, source="Rayyan", query="statins")
    assert (came.records, came.papers, came.added, came.decisions) == (2, 2, 2, 2)
    words = projects.get("p").words_on(
        "abstract", "901" if "901" in projects.get("p").papers else "rayyan-1"
    )
    assert {who: (one.verdict, one.tags, one.reason) for who, one in words.items()} == {
        "Ann": ("include", ("a", "b"), ""),
        "Bob": ("exclude", ("a", "b"), "wrong outcome"),
    }
    projects.new("c")
    covidence = tmp_path / "excluded.csv"
    covidence.write_text(
        "Title,Authors,Abstract,Published Year,Published Month,Journal,Volume,Issue,Pages,"
        "Accession Number,DOI,Ref,Covidence #,Study,Notes,Tags\n"
        'A trial of sleep,"Berg, A.",Text.,2020,,J,1,2,3-4,,10.1000/s1,12,#12,Berg 2020,'
        '"Exclusion reason: Wrong population; ",\n'
        "A trial of pain,,Text.,2021,,J,,,,,10.1000/s2,13,#13,2021,,\n"
    )
    projects.import_file("c", covidence, decided="include", reviewer="cov", stage="full text")
    flow = projects.prisma("c")
    assert (flow.sought, flow.assessed_excluded, flow.included) == (2, 1, 1)
    assert flow.assessed_reasons == {"Wrong population": 1}
    projects.new("r")
    ris = tmp_path / "asreview.ris"
    ris.write_text(
        "TY  - JOUR\nTI  - One\nAB  - Text\nN1  - ASReview_relevant\nER  - \n\n"
        "TY  - JOUR\nTI  - Two\nAB  - Text\nN1  - ASReview_irrelevant\nER  - \n\n"
        "TY  - JOUR\nTI  - Three\nAB  - Text\nN1  - ASReview_not_seen\nER  - \n"
    )
    came = projects.import_file("r", ris)
    assert (came.records, came.decisions) == (3, 2)
    flow = projects.prisma("r")
    assert (flow.screened_excluded, flow.sought, flow.screened_undecided) == (1, 1, 1)
    assert flow.sources == {"asreview.ris": 3}


def test_records_add_up_and_bad_ones_are_told(make_library, tmp_path):
    projects = make_library([paper("901", "Statins", ids={"pmid": "901"})]).projects
    projects.new("p")
    file = tmp_path / "some.csv"
    file.write_text(
        "id,title,abstract,pmid\n"
        "a,Statins,Text,901\n"
        "b,Sleep,Text,\n"
        "b,Sleep,Text,\n"
        "c,Too,many,cells,here\n"
        "901,Another paper of that number,Text,\n"
    )
    came = projects.import_file("p", file)
    assert came.records == came.rejected + came.counted + came.returned == 5
    assert (came.rejected, came.added, came.papers) == (1, 2, 3)
    assert came.rejects[0].place == "line 5"
    flow = projects.prisma("p")
    assert (flow.identified, flow.duplicates, flow.other, flow.screened) == (5, 1, 1, 3)
    assert projects.library.document("901").title == "Statins"
    (other,) = (id for id in projects.get("p").papers if id.startswith("901#"))
    assert projects.library.document(other).title == "Another paper of that number"


def test_a_damaged_seal_is_told(begun, tmp_path, make_library):
    rows = table(begun, "csv")
    for row in rows:
        place = row["osler_review"].index(".") + 10
        row["osler_review"] = (
            row["osler_review"][:place] + "AAAA" + row["osler_review"][place + 4 :]
        )
    other = make_library([], name="other").projects
    other.new("p")
    came = other.import_file("p", put(tmp_path / "damaged.csv", rows))
    assert came.damaged == 3
    # What the table itself shows is still read.
    flow = other.prisma("p")
    assert (flow.sought, flow.screened_excluded) == (1, 1)


def test_what_is_refused(begun, tmp_path):
    with pytest.raises(ChoiceError, match="rayyan"):
        begun.export("p", "word")
    log = tmp_path / "log.jsonl"
    log.write_bytes(begun.export("p", LOG))
    with pytest.raises(InputError, match="of its own"):
        begun.import_file("p", log)
    log.write_bytes(log.read_bytes() + b"{broken\n")
    with pytest.raises(FormatError, match="line"):
        begun.import_file("q", log)
    assert begun.names() == ["p"]
    with pytest.raises(InputError, match="name of who"):
        begun.import_file("p", log, decided="include")
    eppi = tmp_path / "x.json"
    eppi.write_text('{"References": 7}')
    with pytest.raises(FormatError, match="EPPI"):
        begun.import_file("p", eppi)


def test_codes_of_eppi_are_told_by_their_kind_or_by_their_name():
    from osler.review.formats.eppi import _names

    def code(id, name, kind=None):
        return {"AttributeId": id, "AttributeName": name, "AttributeType": kind}

    abstract = [
        code(1, "Yes, keep", "Include"),
        code(2, "INCLUDE on title"),
        code(3, "Not randomised", "Exclude"),
        code(4, "EXCLUDE on population", "Exclude"),
        code(5, "EXCLUDE"),
        code(6, "Country", "Selectable"),
        code("7", "INCLUDE"),
    ]
    sets = [
        {"SetName": "Title and abstract", "Attributes": {"AttributesList": abstract}},
        {"SetName": "Full text", "Attributes": {"AttributesList": [code(8, "x", "Include")]}},
        {"SetName": "Empty", "Attributes": None},
    ]
    assert dict(_names(sets)) == {
        1: ("abstract", "include", ""),
        2: ("abstract", "include", ""),
        3: ("abstract", "exclude", "Not randomised"),
        4: ("abstract", "exclude", "population"),
        5: ("abstract", "exclude", ""),
        8: ("full text", "include", ""),
    }
