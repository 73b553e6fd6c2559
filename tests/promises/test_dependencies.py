"""What Osler stands on: licences without GPL, versions that can be audited without a network."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path

import pytest

from osler.cli.licences import packages
from promises import audit

ROOT = Path(__file__).parent.parent.parent
COPYLEFT = re.compile(r"\b(A?GPL|GNU (Affero )?General Public|SSPL|Commons Clause)", re.IGNORECASE)
LESSER = re.compile(r"\bL(esser )?GPL|Lesser General Public|Mozilla|MPL", re.IGNORECASE)


def listed() -> list[tuple[str, str, str, str]]:
    return list(packages())


def test_no_gpl_is_needed_to_run():
    """LGPL (gensim, an extra) and MPL are weak: what uses them need not take them on."""
    for package, _, licence, wanted in listed():
        if COPYLEFT.search(LESSER.sub("", licence)):
            pytest.fail(f"{package} ({wanted}) is under {licence}")


def test_the_core_is_under_permissive_terms_alone():
    for package, _, licence, wanted in listed():
        if wanted == "osler":
            assert not re.search(r"LGPL|Lesser", licence), package


def test_every_licence_is_stated():
    rows = listed()
    assert len(rows) > 25
    assert [
        package for package, _, licence, _ in rows if licence in ("not stated", "UNKNOWN")
    ] == []


def test_everything_that_runs_is_pinned():
    pins = audit.pinned(ROOT / "constraints.txt")
    # What pip itself brings is not pinned.
    missing = {audit.normal(package) for package, *_ in listed()} - set(pins) - {"setuptools"}
    assert missing == set()


def record(id: str, name: str, **affected: object) -> dict:
    package = {"ecosystem": "PyPI", "name": name}
    return {"id": id, "summary": "bad", "affected": [{"package": package, **affected}]}


@pytest.mark.parametrize(
    ("affected", "bad"),
    [
        ({"versions": ["1.2"]}, True),
        ({"versions": ["1.1"]}, False),
        ({"ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}]}]}, True),
        ({"ranges": [{"type": "ECOSYSTEM",
                      "events": [{"introduced": "1.0"}, {"fixed": "1.2"}]}]}, False),
        ({"ranges": [{"type": "ECOSYSTEM",
                      "events": [{"introduced": "1.0"}, {"fixed": "1.3rc1"}]}]}, True),
        ({"ranges": [{"type": "ECOSYSTEM",
                      "events": [{"introduced": "0"}, {"last_affected": "1.1"}]}]}, False),
        ({"ranges": [{"type": "GIT", "events": [{"introduced": "0"}]}]}, False),
    ],
)  # fmt: skip
def test_a_known_weakness_is_found_without_a_network(affected, bad, tmp_path):
    database = tmp_path / "osv.zip"
    with zipfile.ZipFile(database, "w") as packed:
        packed.writestr("A.json", json.dumps(record("X-1", "Some_Package", **affected)))
        packed.writestr("B.json", json.dumps(record("X-2", "another", versions=["1.2"])))
    found = audit.weaknesses({"some-package": "1.2"}, database)
    assert bool(found) is bad
    assert all("X-1" in line for line in found)


def test_every_pin_has_its_hash():
    """``make hashed`` installs by them; a pin that is changed alone is noticed."""
    from promises import hashes

    assert hashes.check() == []
    assert len(hashes.hashes()) > 100


def test_the_hashes_name_no_place():
    from promises import hashes

    assert "://" not in hashes.HASHES.read_text("utf-8")
