"""P2: bytes flipped and files cut: what is damaged is named, or no answer changes.

Every file of a library that holds some of everything, a few places in each; ``make fuzz`` goes on
over random places for as long as it is told (``damage.py``).
"""

from __future__ import annotations

import random
import shutil
import sqlite3

import pytest

from osler import Library
from osler.errors import DamageError, OslerError, UnknownId
from promises import damage, whole


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    return whole.build(tmp_path_factory.mktemp("sound") / "library")


@pytest.fixture(scope="module")
def expected(sound):
    assert Library.verify_folder(sound) == []
    return whole.answers(sound)


PARTS = {
    "truth": ("truth.sqlite", "vectors.sqlite", "library.json"),
    "words": ("derived/words", "derived/passages"),
    "vectors": ("derived/vectors", "derived/records", "models"),
    "knowledge": ("derived/knowledge",),
}


@pytest.mark.parametrize("part", list(PARTS))
def test_every_file_flipped_and_cut_is_named_or_changes_no_answer(part, sound, expected, tmp_path):
    rng = random.Random(part)
    names = [n for n in damage.files(sound) if n.as_posix().startswith(PARTS[part])]
    # Many small files are alike: some of them here, all of them in ``make fuzz``.
    if part in ("knowledge", "words"):
        names = rng.sample(names, 14)
    named = 0
    for name in names:
        data = (sound / name).read_bytes()
        changed = [damage.flipped(data, rng) for _ in range(6 if len(data) > 50_000 else 1)]
        if part in ("truth", "vectors"):
            changed.append(damage.cut(data, rng))
        for bad in changed:
            told = damage.trial(sound, tmp_path / "copy", name, bad, expected)
            assert told in ("named", "same"), f"{name}: {told}"
            named += told == "named"
    assert named > len(names) // 3


ROWS = {
    "documents": "UPDATE documents SET revised = '1999' WHERE id = '1'",
    "a body": "UPDATE documents SET body = replace(body, 'asthma', 'eczema') WHERE id = '2'",
    "a tombstone": "UPDATE documents SET seq = seq + 900 WHERE id = '5'",
    "names": "UPDATE names SET document = 2 WHERE value = '10.1000/statins'",
    "an earlier name": "UPDATE names SET value = 'x-61' WHERE value = 'x-60'",
    "entities": "UPDATE entities SET body = replace(body, 'myalgia', 'neuralgia')",
    "triples": "UPDATE triples SET relation = 'cures' WHERE relation = 'causes'",
    "pairs": "UPDATE pairs SET body = replace(body, 'Yes', 'No')",
    "queries": "UPDATE queries SET text = 'aspirin'",
    "judgements": "UPDATE judgements SET grade = 1 - grade",
    "searches": "UPDATE searches SET body = replace(body, 'asthma', 'gout')",
    "files": "UPDATE files SET position = position + 1",
    "rejects": "UPDATE rejects SET place = 'line 3' WHERE place = 'line 2'",
    "facts": "UPDATE facts SET value = '0.4' WHERE value != '' AND kind != 'patient'",
    "whose facts": "UPDATE facts SET patient = 'record:ward/P7' WHERE kind = 'condition'",
    "codes of facts": "UPDATE fact_codes SET code = '90560008' WHERE code = '90560007'",
    "a lost fact with a code": "DELETE FROM facts WHERE kind = 'condition'",
    "sources": "UPDATE sources SET name = 'east' WHERE name = 'north'",
    "joins": "UPDATE joins SET system = 'urn:other'",
    "notes": "UPDATE notes SET reason = 'none'",
    "review_log": "UPDATE review_log SET body = replace(body, 'include', 'exclude')",
    "the number": "UPDATE meta SET value = '3' WHERE key = 'seq'",
    "no number": "UPDATE meta SET value = 'x' WHERE key = 'seq'",
}


@pytest.mark.parametrize("row", list(ROWS))
def test_every_kind_of_row_carries_a_checksum(row, sound, expected, tmp_path):
    """A row changed behind the library's back is named by ``verify`` and is not answered from."""
    shutil.copytree(sound, tmp_path / "copy")
    db = sqlite3.connect(tmp_path / "copy" / "truth.sqlite")
    with db:
        assert db.execute(ROWS[row]).rowcount >= 1
    db.close()
    assert damage.outcome(tmp_path / "copy", expected) == "named"
    try:
        given = whole.answers(tmp_path / "copy")
    except OslerError as error:
        # Under a name that is no name any more nothing is found: that is no wrong answer.
        assert isinstance(error, UnknownId if row == "an earlier name" else DamageError)
    else:
        # A tombstone and the counter are not shown to anybody; the next writer meets them. A row
        # that is gone is told by ``verify`` alone.
        differ = {key for key in expected if given[key] != expected[key]}
        lost = {"facts", "ask of facts"} if row == "a lost fact with a code" else set()
        assert differ <= {"digest"} | lost, differ


def test_a_number_that_fell_behind_is_never_given_again(sound, tmp_path):
    shutil.copytree(sound, tmp_path / "copy")
    db = sqlite3.connect(tmp_path / "copy" / "truth.sqlite")
    with db:
        db.execute("UPDATE meta SET value = '3' WHERE key = 'seq'")
    db.close()
    with pytest.raises(DamageError, match="fallen behind"):
        # Already the opening tells: the indexes know of numbers that were never given.
        Library.open(tmp_path / "copy", encoder=whole.TrigramEncoder())


def test_the_copy_of_the_records_is_made_again_when_it_is_damaged(sound, expected, tmp_path):
    """A crash and an unnoticed change that flipping found: names without a checksum."""
    shutil.copytree(sound, tmp_path / "copy")
    names = tmp_path / "copy" / "derived" / "records" / "names.msgpack"
    names.write_bytes(names.read_bytes().replace(b"aspirin", b"heroin!"))
    arrays = names.with_name("arrays.npz")
    arrays.write_bytes(arrays.read_bytes()[:-9] + b"x" * 9)
    assert whole.answers(tmp_path / "copy") == expected


def test_a_model_s_configuration_is_checked_as_its_weights_are(sound, tmp_path):
    """An unnoticed change that flipping found."""
    shutil.copytree(sound, tmp_path / "copy")
    config = tmp_path / "copy" / "models" / "small" / "config.json"
    config.write_text(config.read_text().replace('"a": 1', '"a": 3'))
    with pytest.raises(DamageError, match="configuration"):
        whole.answers(tmp_path / "copy")
