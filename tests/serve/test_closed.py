"""The server is closed unless it is opened, and lets nothing in or out that should not pass."""

from __future__ import annotations

import logging
import re
import subprocess
import sys

import pytest
from starlette.testclient import TestClient

from osler.errors import InputError
from osler.serve.guard import HEADERS, host_name
from osler.serve.run import check_address, is_loopback, listen, read_token
from osler.serve.style import inline_style
from samples import TrigramEncoder
from serving import SCRIPT

TOKEN = "a token that is long enough"


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "example.org", "::"])
def test_another_address_without_a_token_is_refused(host):
    with pytest.raises(InputError, match="other machines"):
        check_address(host, None)
    check_address(host, TOKEN)
    with pytest.raises(InputError, match="fewer than"):
        check_address(host, "short")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "[::1]", "127.8.8.8"])
def test_the_loopback_needs_none(host):
    assert is_loopback(host)
    check_address(host, None)


def test_the_command_leaves_with_2(served_library):
    done = subprocess.run(
        [sys.executable, "-m", "osler.cli.main", "serve", served_library, "--host", "0.0.0.0"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2
    assert "--token-file" in done.stderr


def test_a_port_that_is_taken_is_told():
    with listen("127.0.0.1", 0) as held:
        held.listen()
        with pytest.raises(InputError, match="--port 0|cannot listen"):
            listen("127.0.0.1", held.getsockname()[1])
    with pytest.raises(InputError):
        listen("127.0.0.1", 99_999)


def test_tokens_come_from_a_file_or_the_environment(tmp_path):
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n")
    assert read_token(file, None) == TOKEN
    assert read_token(None, "from the environment") == "from the environment"
    assert read_token(None, "") is None
    file.write_text("")
    with pytest.raises(InputError):
        read_token(file, None)
    with pytest.raises(InputError):
        read_token(tmp_path / "none", None)


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "", "localhost.evil:80", "[", "a b"]
)
def test_a_foreign_host_header_gets_400(client, host):
    for path in ("/", "/api/v1/status", "/static/osler.css"):
        answer = client.get(path, headers={"Host": host})
        assert answer.status_code == 400


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8642", "127.0.0.1:1", "[::1]:80"])
def test_own_names_are_answered(client, host):
    assert client.get("/api/v1/status", headers={"Host": host}).status_code == 200


def test_host_names_are_read_with_care():
    assert host_name("[::1]:80") == "::1"
    assert host_name("user@localhost") == "localhost"
    assert host_name("[") == ""


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "null"},
    ],
)
def test_other_sites_cannot_send_forms(client, headers):
    form = {"topic": "sleep", "document": "sleep-01", "grade": "1"}
    answer = client.post("/rank/mark", data=form, headers=headers)
    assert answer.status_code == 403
    body = {"query": "x", "judgements": {"sleep-01": 1}}
    assert client.post("/api/v1/feedback", json=body, headers=headers).status_code == 403


PAGES = [
    "/",
    "/papers?q=asthma",
    "/document/evil-1?q=cough",
    "/rank?topic=asthma",
    "/facts/relevance?head=Asthma&relation=treated+by&tail=Budesonide",
    "/answers?q=What+helps+against+migraine",
    "/patients?q=What+does+patient+P1+take",
    "/graph?entity=Asthma",
    "/library",
    "/docs",
    "/nix",
]


@pytest.mark.parametrize("page", PAGES)
def test_every_page_has_the_headers_and_no_inline_code(client, page):
    answer = client.get(page)
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    assert answer.headers["cache-control"] == "no-store"
    assert "style=" not in answer.text
    # The one style there is is ours, and its hash stands in the policy.
    assert answer.text.count("<style") == answer.text.count(inline_style()) <= 1
    assert " onclick" not in answer.text
    assert answer.text.count("<script") == answer.text.count('<script src="/static/')
    assert "http://" not in answer.text.replace("http://127.0.0.1", "")
    # A DOI is a link that a person may follow; nothing is fetched from there.
    links = re.compile(r'<a href="https://doi\.org/[^"]*" rel="noreferrer">')
    assert "https://" not in links.sub("", answer.text)


@pytest.mark.parametrize(
    "page",
    [
        "/papers?q=asthma+cough",
        "/document/evil-1",
        "/rank?topic=asthma+cough",
        "/document/asthma-1",
        f"/papers?q={SCRIPT}",
        f"/rank?topic={SCRIPT}",
        f"/patients?q={SCRIPT}",
        f"/answers?q={SCRIPT}&answers={SCRIPT}",
        f"/graph?entity={SCRIPT}",
        f"/facts/relevance?head={SCRIPT}&relation={SCRIPT}&tail={SCRIPT}",
        f"/papers?q=asthma&type={SCRIPT}&year={SCRIPT}",
        f"/login?next={SCRIPT}",
    ],
)
def test_tags_are_shown_never_run(client, page):
    text = client.get(page).text
    assert "<script>window" not in text
    assert "<img src=x" not in text
    assert "<b>Tags</b>" not in text


TRAVERSALS = [
    "../../etc/passwd",
    "..%2f..%2fetc%2fpasswd",
    "%2e%2e/%2e%2e/etc/passwd",
    "....//....//etc/passwd",
    "/etc/passwd",
    "..\\..\\etc\\passwd",
    "%00",
    "images/../../truth.sqlite",
    "..%2ftruth.sqlite",
    "truth.sqlite",
]


@pytest.mark.parametrize("path", TRAVERSALS)
@pytest.mark.parametrize(
    "route", ["/static/", "/images/", "/document/", "/api/v1/documents/", "/api/v1/entities/", "/"]
)
def test_no_route_leads_outside(client, route, path):
    answer = client.get(f"{route}{path}")
    assert answer.status_code in (307, 400, 404, 405, 422)
    assert "root:" not in answer.text
    assert "SQLite" not in answer.text


def test_images_are_those_of_the_library(client, served_library):
    folder = served_library / "images"
    folder.mkdir(exist_ok=True)
    (folder / "lung.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (folder / "note.html").write_text("<p>no image</p>")
    (folder / "link.png").unlink(missing_ok=True)
    (folder / "link.png").symlink_to(served_library / "truth.sqlite")
    assert client.get("/images/lung.png").headers["content-type"] == "image/png"
    assert client.get("/images/note.html").status_code == 404
    assert client.get("/images/link.png").status_code == 404


def test_with_a_token_nothing_is_open_but_the_door(served_library):
    from osler.serve.app import create_app

    app = create_app(
        served_library,
        encoder=TrigramEncoder(),  # type: ignore[arg-type]
        token=TOKEN,
        hosts=("library.example",),
    )
    with TestClient(app, base_url="http://library.example", follow_redirects=False) as opened:
        assert opened.get("/api/v1/status").status_code == 401
        assert opened.get("/api/v1/status").headers["www-authenticate"] == "Bearer"
        moved = opened.get("/papers?q=asthma")
        assert moved.status_code == 303
        assert moved.headers["location"] == "/login?next=%2Fpapers%3Fq%3Dasthma"
        right = {"Authorization": f"Bearer {TOKEN}"}
        assert opened.get("/api/v1/status", headers=right).status_code == 200
        wrong = {"Authorization": "Bearer something else entirely"}
        assert opened.get("/api/v1/status", headers=wrong).status_code == 401
        assert opened.post("/login", data={"token": "wrong"}).status_code == 401
        entered = opened.post("/login", data={"token": TOKEN, "next": "//evil.example"})
        assert entered.status_code == 303
        assert entered.headers["location"] == "/"
        assert TOKEN not in entered.headers["set-cookie"]
        assert "HttpOnly" in entered.headers["set-cookie"]
        assert opened.get("/").status_code == 200


def test_what_was_asked_stays_out_of_the_log(client, caplog):
    canary = "canary-patient-4711"
    with caplog.at_level(logging.DEBUG):
        client.get("/patients", params={"q": f"What does {canary} take?"})
        client.post("/api/v1/ask", json={"question": f"What does {canary} take?"})
        client.get("/", params={"q": canary})
        client.get(f"/document/{canary}")
        client.get("/api/v1/search", params={"q": canary, "limit": "many"})
    ours = [record for record in caplog.records if record.name.startswith(("osler", "uvicorn"))]
    assert ours
    assert not any(canary in record.getMessage() for record in ours)


def test_the_framework_tells_nobody_what_was_asked(served_library, monkeypatch):
    from osler.serve.app import create_app

    monkeypatch.setenv("FASTAPI_OTEL_AUTO_CONFIGURE", "true")
    app = create_app(served_library)
    held = getattr(app, "_telemetry", {})  # before FastAPI had any there was nothing to close
    assert not any(held.get(name) for name in ("tracing", "metrics", "logs", "auto_configure"))
    app.state.desk.close()
