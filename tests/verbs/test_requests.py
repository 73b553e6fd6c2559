"""Requests: limits hold however they are built; years and filters are read in one place."""

from __future__ import annotations

from pathlib import Path

import pytest

from osler.errors import InputError, LimitError
from osler.kinds import Filter
from osler.verbs.filters import filter_of, years_of
from osler.verbs.rank import RankRequest
from osler.verbs.search import SearchRequest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "given",
    [
        {"text": "a", "k": 0},
        {"text": "a", "k": 10_001},
        {"text": "a", "skip": -1},
        {"text": "a" * 10_001},
    ],
)
def test_limits_hold(given):
    with pytest.raises(LimitError):
        SearchRequest(**given)


def test_a_topic_has_words():
    with pytest.raises(InputError, match="the topic is empty"):
        RankRequest(topic="")


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("2019", (2019, 2019)),
        ("2019:2021", (2019, 2021)),
        ("2019:", (2019, None)),
        (":2021", (None, 2021)),
        (" ", None),
        (None, None),
    ],
)
def test_years(text, years):
    assert years_of(text) == years


def test_years_that_end_before_they_begin_are_refused():
    with pytest.raises(InputError, match="2021:2019 ends before it begins; write 2019:2021"):
        years_of("2021:2019")


def test_no_years():
    with pytest.raises(InputError, match="no range of years"):
        years_of("soon")


def test_a_filter_of_nothing_is_none():
    assert not filter_of()
    assert filter_of(mesh=["Asthma"], without_retracted=True) == Filter(
        headings=("Asthma",), exclude_retracted=True
    )


def test_secrets_are_masked_at_every_door(monkeypatch, tmp_path):
    """The status view printed OSLER_MILVUS_TOKEN in clear while the command masked it."""
    from starlette.testclient import TestClient
    from typer.testing import CliRunner

    from osler import Library
    from osler.cli.main import build
    from osler.serve.app import create_app
    from osler.settings import SETTINGS, shown_settings

    monkeypatch.setenv("OSLER_MILVUS_TOKEN", "root:very-secret")
    monkeypatch.setenv("OSLER_BATCH", "1234")
    Library.create(tmp_path / "library").close()
    shown = [str(shown_settings()), CliRunner().invoke(build(), ["settings"]).output]
    with TestClient(create_app(tmp_path / "library"), base_url="http://127.0.0.1") as client:
        shown += [client.get(path).text for path in ("/status", "/status.json", "/api/v1/status")]
    assert "1234" in shown[1]
    assert "***" in shown[2]
    assert not any("very-secret" in text for text in shown)
    # What sounds like a secret is one.
    for setting in SETTINGS:
        if any(word in setting.name for word in ("token", "password", "secret", "key")):
            assert setting.secret, setting.name


def test_a_loop_over_hits_is_typed(tmp_path):
    """mypy saw Any in the README's loop."""
    api = pytest.importorskip("mypy.api")
    code = tmp_path / "loop.py"
    code.write_text(
        "from osler import Library\n"
        "def f(library: Library) -> None:\n"
        "    for hit in library.search('statins'):\n"
        "        reveal_type(hit)\n",
        encoding="utf-8",
    )
    told, wrong, _ = api.run(
        ["--strict", "--follow-imports=silent", f"--cache-dir={tmp_path / 'cache'}", str(code)]
    )
    assert 'Revealed type is "osler.kinds.hit.Hit"' in told, told + wrong


def test_no_sql_outside_the_store():
    """Statements stand in the room that knows the tables."""
    import re

    statement = re.compile(r"[\"'](?:SELECT|INSERT|UPDATE|DELETE)\s")
    # A hospital's own database is asked in its own tongue, and so is ASReview's project file.
    allowed = ("store/", "ask/form/", "review/formats/asreview_file.py")
    for path in (ROOT / "src" / "osler").rglob("*.py"):
        if not path.relative_to(ROOT / "src" / "osler").as_posix().startswith(allowed):
            assert not statement.search(path.read_text("utf-8")), path


def test_the_page_has_one_table_of_views():
    from importlib import import_module

    from osler.serve.menu import VIEWS, menu

    assert [entry.name for entry in menu()][:2] == ["papers", "review"]
    for view in VIEWS:
        paths = [route.path for route in import_module(view.module).router.routes]
        assert any(path.startswith(view.path) for path in paths), view
