"""Projects: blind reviewers, conflicts, undo, a flow that adds up, marks of one project alone."""

import os
import subprocess
import sys

import pytest

from osler.errors import InputError, UnknownId
from osler.library import Library
from samples import paper

PAPERS = [paper(f"{n:02}", f"Statins trial {n}", "muscle pain") for n in range(6)]


@pytest.fixture
def projects(make_library):
    found = make_library(PAPERS).projects
    found.new("pain", question="P I C O", reasons=("animals", "no control"), reviewers=2)
    found.search("pain", "statins")
    return found


def test_two_blind_reviewers_and_a_third(projects):
    for id, one, two in (
        ("00", "include", "include"),
        ("01", "exclude", "exclude"),
        ("02", "include", "exclude"),
        ("03", "exclude", "exclude"),
    ):
        projects.decide("pain", id, one, reviewer="ann")
        assert id in projects.get("pain").to_screen("bob")
        projects.decide("pain", id, two, reviewer="bob", reason="animals" if two[0] == "e" else "")
    now = projects.get("pain")
    assert now.conflicts() == ["02"]
    # Agreement 3 of 4; chance 1/2 1/4 + 1/2 3/4 = 1/2.
    assert now.kappa("ann", "bob") == pytest.approx(0.5)
    with pytest.raises(InputError, match="no side"):
        projects.decide("pain", "02", "include", reviewer="ann", resolves=True)
    now = projects.decide("pain", "02", "include", reviewer="cid", resolves=True)
    assert now.conflicts() == []
    flow = projects.prisma("pain")
    assert flow.identified == 6
    assert flow.screened == 6
    assert (flow.screened_excluded, flow.screened_undecided) == (2, 2)
    assert flow.screened_reasons == {"animals": 2}
    assert flow.sought == flow.assessed == 6 - 2 - 2


def test_undo_and_what_is_refused(projects):
    projects.decide("pain", "00", "exclude", reviewer="ann", reason="animals")
    assert "00" not in projects.get("pain").to_screen("ann")
    now = projects.undo("pain", reviewer="ann")
    assert "00" in now.to_screen("ann")
    assert len(now.history) == 4
    with pytest.raises(UnknownId, match="no decision"):
        projects.undo("pain", reviewer="ann")
    with pytest.raises(InputError, match="reasons"):
        projects.decide("pain", "00", "exclude", reviewer="ann", reason="dull")
    with pytest.raises(UnknownId):
        projects.decide("pain", "99", "include", reviewer="ann")
    with pytest.raises(UnknownId):
        projects.get("none")


def test_projects_do_not_touch_each_other(projects):
    projects.new("other")
    projects.search("other", "statins")
    projects.decide("other", "00", "include", reviewer="ann")
    assert "00" in projects.get("pain").to_screen("ann")
    assert projects.prisma("other").duplicates == 0
    assert projects.names() == ["pain", "other"]
    assert projects.library.decisions.judgements() == {}


def test_a_killed_process_loses_no_decision(tmp_path):
    code = (
        "import os, sys\n"
        "from osler.library import Library\n"
        "from osler.kinds import Document\n"
        "library = Library.create(sys.argv[1])\n"
        "library.add_documents([Document(id=str(n), title='Statins') for n in range(5)])\n"
        "library.projects.new('p')\n"
        "library.projects.search('p', 'statins')\n"
        "for n in range(3):\n"
        "    library.projects.decide('p', str(n), 'include', reviewer='ann')\n"
        "os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, tmp_path / "lib"], env=os.environ)
    assert done.returncode == -9
    with Library.open(tmp_path / "lib") as library:
        assert sorted(library.projects.get("p").to_screen("ann")) == ["3", "4"]


def test_a_changed_row_is_noticed(projects):
    from osler.errors import DamageError

    projects.decide("pain", "00", "exclude", reviewer="ann")
    with projects.library.truth.transaction() as connection:
        connection.execute("UPDATE review_log SET body = replace(body, 'ex', 'in')")
    again = Library.open(projects.library.layout.root)
    with again, pytest.raises(DamageError, match="checksum"):
        again.projects.get("pain")


def test_decisions_are_part_of_the_librarys_digest(projects):
    digests = {projects.library.digest()}
    projects.decide("pain", "00", "exclude", reviewer="ann")
    digests.add(projects.library.digest())
    projects.undo("pain", reviewer="ann")
    digests.add(projects.library.digest())
    assert len(digests) == 3
