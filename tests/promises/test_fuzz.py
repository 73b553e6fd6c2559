"""Hypothesis on everything that reads what others wrote: every reader, the query parser, runs and
qrels, the library's opener.

``OSLER_FUZZ`` is how many examples each test tries: 15 here, thousands in ``make fuzz``, which
also runs ``damage.py`` and, where it is installed, atheris.
"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from osler.errors import OslerError
from osler.files.reader import readers
from osler.kinds import Document, Entity
from promises import damage, fuzzing, whole
from promises.handed import HANDED
from promises.seeds import seeds

EXAMPLES = int(os.environ.get("OSLER_FUZZ", "15"))
FUZZ = settings(
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    derandomize=EXAMPLES < 100,
    suppress_health_check=list(HealthCheck),
)
# Strangers fuzz their own.
READERS = [name for name, reader in readers if reader.__module__.startswith("osler.")]
COUNTED = {"inputs": 0}


@pytest.fixture(scope="module", autouse=True)
def told():
    yield
    out = os.environ.get("OSLER_FUZZ_COUNT")
    if out:
        with Path(out).open("a") as stream:
            stream.write(f"{COUNTED['inputs']}\n")


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    return seeds(tmp_path_factory.mktemp("seeds"))


def test_every_reader_has_a_seed(sources):
    assert set(sources) == set(READERS)


@pytest.mark.parametrize("name", READERS)
def test_a_seed_is_read(name, sources, tmp_path):
    given = fuzzing.read_all(name, sources[name])
    assert given or name == "images"


changes = st.lists(
    st.tuples(
        st.floats(0, 1),
        st.integers(0, 40),
        st.one_of(st.sampled_from(fuzzing.WORDS), st.binary(max_size=12)),
        st.integers(1, 3),
    ),
    min_size=1,
    max_size=8,
)


@pytest.mark.parametrize("name", READERS)
@FUZZ
@given(changes=changes, which=st.integers(0, 30))
def test_a_mutated_file_gives_sound_items_or_an_error_of_ours(name, changes, which, sources):
    COUNTED["inputs"] += 1
    with tempfile.TemporaryDirectory() as folder:
        path = fuzzing.placed(sources[name], Path(folder) / "in", which, changes)
        fuzzing.read_all(name, path)


@pytest.mark.parametrize("name", READERS)
@FUZZ
@given(data=st.one_of(st.binary(max_size=600), st.text(max_size=300).map(lambda t: t.encode())))
def test_any_bytes_give_sound_items_or_an_error_of_ours(name, data):
    COUNTED["inputs"] += 1
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_bytes(data)
        fuzzing.read_all(name, path)


plain = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=6,
)


@pytest.mark.parametrize("name", ["beir", "cord19", "fhir", "indra-json"])
@FUZZ
@given(which=st.integers(0, 30), where=st.floats(0, 1), value=plain)
def test_any_value_in_json_gives_sound_items_or_an_error_of_ours(
    name, which, where, value, sources
):
    """Text that is no JSON any more is soon refused; JSON of another shape goes deeper."""
    COUNTED["inputs"] += 1
    with tempfile.TemporaryDirectory() as folder:
        path = fuzzing.reshaped(sources[name], Path(folder) / "in", which, where, value)
        fuzzing.read_all(name, path)


# -- questions -------------------------------------------------------------------------------------

pieces = st.lists(
    st.one_of(
        st.sampled_from(
            ["AND", "OR", "NOT", "NOT(", "(", ")", '"', "*", "~3", "~", "title:", "mesh:", "year:",
             "year:2019:2021", "[mh]", "[", "]", "asthma", "肺癌", "a", "-", ":", "id:", "tiab:",
             "\\", "\0"]
        ),
        st.text(max_size=8),
    ),
    max_size=14,
)  # fmt: skip


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    from osler import Library

    folder = whole.build(tmp_path_factory.mktemp("small") / "library")
    with Library.open(folder, encoder=whole.TrigramEncoder()) as library:
        yield library


@settings(FUZZ, max_examples=EXAMPLES * 6)
@given(parts=pieces, glue=st.sampled_from([" ", ""]))
def test_any_question_is_answered_or_marked(parts, glue, small):
    COUNTED["inputs"] += 1
    question = glue.join(parts)
    try:
        ranking = small.search(question, method="words")
    except OslerError as error:
        assert error.code.startswith("E1"), error
        assert getattr(error, "marked", "")[:1] != "\n" or not question.strip()
    else:
        assert all(hit.score == hit.score for hit in ranking)


# -- runs, qrels, queries --------------------------------------------------------------------------

lines = st.lists(
    st.one_of(
        st.tuples(
            st.sampled_from(["q1", "q2", "", "肺", "q 3"]),
            st.sampled_from(["Q0", "0", "x"]),
            st.sampled_from(["d1", "d2", "d\0", "\ud800"]),
            st.sampled_from(["1", "-1", "1.5", "nan", "inf", "1e400", "", "９"]),
            st.sampled_from(["0.5", "1e-400", "nan", "2", "x", ""]),
            st.sampled_from(["tag", ""]),
        ).map(" ".join),
        st.text(max_size=30),
        st.just('{"_id": "a", "text": "b"}'),
    ),
    max_size=8,
)


@settings(FUZZ, max_examples=EXAMPLES * 6)
@given(rows=lines, end=st.sampled_from(["\n", "\r\n", "\r", "\n\n"]))
def test_runs_qrels_and_queries_are_read_or_refused_by_line(rows, end):
    from osler.measures.trec import read_qrels, read_queries, read_run, write_qrels, write_run

    COUNTED["inputs"] += 1
    with tempfile.TemporaryDirectory() as folder:
        path, again = Path(folder) / "file", Path(folder) / "again"
        path.write_bytes(end.join(rows).encode("utf-8", "surrogatepass"))
        for read, write in ((read_run, write_run), (read_qrels, write_qrels), (read_queries, None)):
            try:
                found = read(path)
            except OslerError as error:
                assert error.code.startswith("E1"), error
                continue
            if write is not None:
                write(again, found)
                assert set(read(again)) == set(found)


# -- what commands are handed ----------------------------------------------------------------------


@pytest.mark.parametrize("kind", HANDED)
def test_what_a_command_is_handed_can_be_read(kind, tmp_path):
    read, name, seed = HANDED[kind]
    (tmp_path / name).write_bytes(seed)
    read(tmp_path / name)


@pytest.mark.parametrize("kind", HANDED)
@FUZZ
@given(changes=changes)
def test_what_a_command_is_handed_is_read_or_refused(kind, changes):
    COUNTED["inputs"] += 1
    read, name, seed = HANDED[kind]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(fuzzing.mutated(seed, changes))
        try:
            read(path)
        except OslerError as error:
            assert error.code.startswith("E1"), error


# -- the library's opener --------------------------------------------------------------------------


@settings(FUZZ, max_examples=max(10, EXAMPLES))
@given(data=st.data())
def test_any_card_manifest_or_state_is_named_or_changes_no_answer(data, small, tmp_path_factory):
    COUNTED["inputs"] += 1
    sound = small.path
    expected = _expected(sound)
    files = [name for name in damage.files(sound) if name.suffix == ".json"]
    name = data.draw(st.sampled_from(files))
    held = json.loads((sound / name).read_text())
    key = data.draw(st.sampled_from(sorted(held) if isinstance(held, dict) else [""]))
    value = data.draw(plain)
    changed = {**held, key: value} if key and data.draw(st.booleans()) else value
    work = tmp_path_factory.getbasetemp() / "opened"
    told = damage.trial(sound, work, name, json.dumps(changed).encode(), expected)
    assert told in ("named", "same"), f"{name}: {json.dumps(changed)[:200]}: {told}"


_KEPT: dict[Path, object] = {}


def _expected(sound: Path) -> object:
    if sound not in _KEPT:
        _KEPT[sound] = whole.answers(sound)
    return _KEPT[sound]


# -- crashes that were found, kept -----------------------------------------------------------------


@pytest.mark.parametrize("key", ["applied", "count", "blocks"])
@pytest.mark.parametrize("value", [None, -1, "a", [[1]], 0.5])
def test_a_vector_state_of_the_wrong_shape_is_named(small, tmp_path, key, value):
    """Found by a null where a number belongs: a bare TypeError."""
    (name,) = (n for n in damage.files(small.path) if n.match("vectors/*/state.json"))
    changed = {**json.loads((small.path / name).read_text()), key: value}
    told = damage.trial(
        small.path, tmp_path / "w", name, json.dumps(changed).encode(), _expected(small.path)
    )
    assert told == "named"


@pytest.mark.parametrize("state", [b"", b"{}", b'{"applied": 0, "count": 0, "blocks": []}'])
def test_a_vector_state_that_lacks_something_is_named(small, tmp_path, state):
    """Found by an empty object: every vector was taken for not there, and nothing was said."""
    (name,) = (n for n in damage.files(small.path) if n.match("vectors/*/state.json"))
    told = damage.trial(small.path, tmp_path / "w", name, state, _expected(small.path))
    assert told == "named"


def test_a_vector_count_that_is_not_its_blocks_is_named(small, tmp_path):
    (name,) = (n for n in damage.files(small.path) if n.match("vectors/*/state.json"))
    held = json.loads((small.path / name).read_text())
    changed = {**held, "count": held["count"] - 1}
    told = damage.trial(
        small.path, tmp_path / "w", name, json.dumps(changed).encode(), _expected(small.path)
    )
    assert told == "named"


@pytest.mark.parametrize("value", [float("inf"), 2**63, -1, None, True])
@pytest.mark.parametrize(
    ("file", "key"),
    [
        ("knowledge/state.json", "documents"),
        ("knowledge/state.json", "terminology"),
        ("vectors/*/state.json", "dimension"),
        ("words/manifest.json", "state"),
        ("library.json", "format"),
    ],
)
def test_a_number_that_cannot_be_is_no_crash(small, tmp_path, file, key, value):
    """Found by an infinite and by a huge number of a change: a bare OverflowError."""
    name = next(n for n in damage.files(small.path) if n.match(file))
    held = json.loads((small.path / name).read_text())
    changed = {**held, key: {"applied": value} if key == "state" else value}
    told = damage.trial(
        small.path, tmp_path / "w", name, json.dumps(changed).encode(), _expected(small.path)
    )
    assert told in ("named", "same")


def test_a_manifest_that_lists_no_files_is_named(small, tmp_path):
    """Found by an empty list of files: a bare TypeError where the arrays were missing."""
    (name,) = (n for n in damage.files(small.path) if n.match("*/concepts/manifest.json"))
    changed = {**json.loads((small.path / name).read_text()), "files": {}}
    told = damage.trial(
        small.path, tmp_path / "w", name, json.dumps(changed).encode(), _expected(small.path)
    )
    assert told == "named"


def test_not_upon_not_is_no_stack_overflow(small):
    """Found by a question of 2,400 NOTs: the parser ran out of stack."""
    with pytest.raises(OslerError, match="NOT"):
        small.search("NOT " * 300 + "asthma", method="words")
    assert small.search("NOT NOT asthma", method="words").hits
    with pytest.raises(OslerError):
        small.search("NOT (" * 40 + "asthma" + ")" * 40, method="words")


def test_kinds_that_readers_give_can_be_stored():
    assert Document(id="1").id
    assert Entity(id="a:1", name="a").names == ("a",)
