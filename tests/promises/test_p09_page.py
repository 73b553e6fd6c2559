"""P9, P15: the server is closed unless opened, no path leads out of it, and nothing that a paper, a
record or a question holds becomes markup. Every route that the application has is tried."""

from __future__ import annotations

import html.parser
import json
import logging
import os
import re
import subprocess
import sys
from urllib.parse import quote

import pytest

from osler import Library
from osler.kinds import Heading, Section
from samples import TrigramEncoder, paper

pytest.importorskip("fastapi")
pytest.importorskip("httpx")

CANARY = "XQZPATIENTCANARY"
MARK = "xqz"
ATTACKS = [
    f"<script {MARK}>alert(1)</script>",
    f'"><img {MARK} src=x onerror=alert(1)>',
    f"'><svg {MARK} onload=alert(1)>",
    f"</textarea></title></style></script><iframe {MARK} src=javascript:alert(1)>",
    f"javascript:alert('{MARK}')",
    f"<a {MARK} href='javascript:alert(1)'>x</a>",
    f"&lt;script {MARK}&gt;alert(1)&lt;/script&gt;",
    f"{{{{7*7}}}}{{% raw %}}<b {MARK}>",
    f"\u2028<math {MARK}><mi xlink:href='javascript:alert(1)'>",
    f"<!--><b {MARK}>-->",
    f"]]><b {MARK}>",
    f"' onmouseover='{MARK}()' a='",
]
ESCAPES = [
    "../../../../etc/passwd", "..%2f..%2f..%2fetc%2fpasswd", "%2e%2e/%2e%2e/etc/passwd",
    "....//....//etc/passwd", "..\\..\\..\\etc\\passwd", "%5c..%5c..%5cetc%5cpasswd",
    "/etc/passwd", "//etc/passwd", "%00/etc/passwd", "..;/..;/etc/passwd",
    "%252e%252e%252fetc/passwd",
    "file:///etc/passwd", "C:\\Windows\\win.ini", "~/.ssh/id_rsa", "..%c0%af..%c0%afetc/passwd",
    "library.json", "../library.json", "truth.sqlite", "../truth.sqlite", "..%2ftruth.sqlite",
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    base = tmp_path_factory.mktemp("page")
    papers = [
        paper(
            f"p{n}",
            f"Asthma {attack}",
            f"Asthma hurts. {attack} We saw asthma.",
            journal=attack,
            keywords=(attack,),
            headings=(Heading(attack, f"MESH:{n}"),),
            full_text=(Section(f"Asthma {attack}", attack),),
            ids={"doi": f"10.1/{n}"},
        )
        for n, attack in enumerate(ATTACKS)
    ]
    papers.append(paper("quiet", f"Asthma of {CANARY}", f"{CANARY} had asthma."))
    with Library.create(base / "library", encoder=TrigramEncoder()) as library:
        library.add_documents(papers)
        rows = ["id\tname\tsynonyms\tparents", "DIS:0\tasthma\t\t"]
        rows += [f"DIS:{n}\tasthma {a}\t{a}\tDIS:0" for n, a in enumerate(ATTACKS, 1)]
        (base / "terms.tsv").write_text("\n".join(rows), "utf-8")
        library.add([base / "terms.tsv"], format="terms")
        rows = ["head\thead_type\trelation\ttail\ttail_type"]
        rows += [f"P7\tpatient\ttakes\t{a}\tdrug" for a in ATTACKS]
        rows += [f"P7\tpatient\ttakes\t{CANARY}\tdrug"]
        (base / "ward.tsv").write_text("\n".join(rows), "utf-8")
        library.add([base / "ward.tsv"], format="clinical-triples")
        library.judge({"q": {"p1": 1}}, {"q": ATTACKS[0]})
        library.save_search("mine", "asthma")
    return base / "library"


@pytest.fixture(scope="module")
def client(folder):
    from starlette.testclient import TestClient

    from osler.serve.app import create_app

    app = create_app(folder, encoder=TrigramEncoder())
    with TestClient(
        app, base_url="http://127.0.0.1", raise_server_exceptions=False, follow_redirects=False
    ) as made:
        made.routed = app
        yield made


def routes(client) -> list[tuple[str, list[str]]]:
    """Every path of the application, with its methods."""
    found: dict[str, set[str]] = {}
    pending = [("", route) for route in client.routed.routes]
    while pending:
        prefix, route = pending.pop()
        router = getattr(route, "original_router", None)
        if router is not None:
            inner = prefix + str(getattr(route.include_context, "prefix", "") or "")
            pending += [(inner, each) for each in router.routes]
        elif path := prefix + getattr(route, "path", ""):
            found.setdefault(path, set()).update(getattr(route, "methods", None) or {"GET"})
    for path, operations in client.routed.openapi()["paths"].items():
        found.setdefault(path, set()).update(method.upper() for method in operations)
    return sorted((path, sorted(methods)) for path, methods in found.items())


def quick(path: str) -> bool:
    """Streams of events end when the client leaves: they are tried where they are refused."""
    return not path.endswith("/events")


def test_there_are_routes_to_try(client):
    assert len(routes(client)) > 15


# -- P9 --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7"])
def test_another_address_without_a_token_is_a_refusal_to_start(host, folder):
    done = subprocess.run(
        [sys.executable, "-m", "osler.cli.main", "serve", folder, "--host", host, "--port", "0"],
        capture_output=True,
        text=True,
        timeout=600,
        env={k: v for k, v in os.environ.items() if k != "OSLER_TOKEN"},
    )
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("E1")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "localhost@evil"])
def test_a_foreign_host_header_gets_400_on_every_route(host, client):
    for path, methods in routes(client):
        for method in methods:
            answer = client.request(method, path, headers={"Host": host})
            assert answer.status_code == 400, (method, path)


def test_with_a_token_nothing_answers_without_it(folder):
    from starlette.testclient import TestClient

    from osler.serve.app import create_app
    from osler.serve.guard import OPEN

    app = create_app(folder, encoder=TrigramEncoder(), token="a token that is long enough")
    with TestClient(app, base_url="http://127.0.0.1", follow_redirects=False) as made:
        made.routed = app
        for path, methods in routes(made):
            if path.startswith(OPEN) or path == "/static":
                continue
            for method in methods:
                answer = made.request(method, re.sub(r"\{[^}]*\}", "p1", path))
                # Pages lead to the door; the interface says no.
                assert answer.status_code in (401, 403) or (
                    answer.status_code in (302, 303, 307)
                    and answer.headers["location"].startswith("/login")
                ), (method, path, answer.status_code)
                assert "Asthma" not in answer.text


def test_no_path_leads_out(client, folder):
    """Every route with a parameter, and the static files, under every disguise."""
    secrets = ("root:x:0", '"format"', "SQLite format", "[extensions]", "PRIVATE KEY")
    starts = ["/", "/static/", "/api/v1/"]
    starts += [p.split("{")[0] for p, _ in routes(client) if "{" in p]
    tried = 0
    for start in sorted(set(starts)):
        for escape in ESCAPES:
            for form in (escape, quote(escape, safe="")):
                answer = client.get(start + form)
                tried += 1
                assert answer.status_code < 500, (start, form)
                assert not any(secret in answer.text for secret in secrets), (start, form)
    names = ("q", "id", "path", "file", "name", "model", "document", "entity")
    for path, _ in routes(client):
        if "{" not in path and quick(path):
            for escape in ESCAPES[:2]:
                answer = client.get(path, params=dict.fromkeys(names, escape))
                tried += 1
                assert "root:x:0" not in answer.text
    assert tried > 200


# -- P15 -------------------------------------------------------------------------------------------


class Markup(html.parser.HTMLParser):
    """Whatever of an attack became a tag, an attribute or a link."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == MARK or name.startswith("on"):
                self.found.append(f"<{tag} {name}={value!r}>")
            leads = name in ("href", "src", "action", "formaction", "xlink:href")
            if leads and re.match(r"\s*(javascript|data|vbscript):", value or "", re.IGNORECASE):
                self.found.append(f"<{tag} {name}={value!r}>")
        if tag in ("iframe", "object", "embed", "base"):
            self.found.append(f"<{tag}>")
        if tag == "script" and not dict(attrs).get("src"):
            self.found.append("<script>")


def test_the_parser_sees_an_attack():
    seen = Markup()
    for attack in ATTACKS:
        seen.feed(attack)
    assert len(seen.found) > 6


def pages(client) -> list[str]:
    """Every page that can be asked for by a link, with questions that find the attacks."""
    found = []
    for path, methods in routes(client):
        if "GET" not in methods or path.startswith(("/static", "/api")) or not quick(path):
            continue
        for id in ("p0", "p3", "DIS:1") if "{" in path else ("",):
            filled = re.sub(r"\{[^}]*\}", quote(id), path)
            found.append(filled)
            for value in ("asthma", " ".join(ATTACKS)):
                names = ("q", "topic", "question", "entity", "to", "head", "relation", "tail")
                found.append(f"{filled}?" + "&".join(f"{n}={quote(value)}" for n in names))
    return found


def test_nothing_stored_or_asked_becomes_markup(client):
    seen = 0
    for path in pages(client):
        answer = client.get(path)
        assert answer.status_code < 500, (path, answer.text[:300])
        kind = answer.headers.get("content-type", "")
        if "html" in kind or "svg" in kind:
            markup = Markup()
            markup.feed(answer.text)
            assert markup.found == [], path
            seen += MARK in answer.text
    assert seen > 10  # the attacks were there, as text


def test_every_answer_carries_its_headers(client):
    for path in ["/", "/api/v1/status", "/nowhere", *pages(client)[:20]]:
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] != ""


def test_json_is_never_taken_for_a_page(client):
    for path in ("/api/v1/search?q=asthma", "/api/v1/documents/p0", "/api/v1/nowhere"):
        answer = client.get(path)
        assert "json" in answer.headers["content-type"], path
        json.loads(answer.text)


def test_questions_and_records_stay_out_of_the_server_s_log(client, caplog):
    with caplog.at_level(logging.DEBUG):
        for path in ("/", "/search", "/patients", "/api/v1/search", "/api/v1/ask", "/rank"):
            for name in ("q", "question", "topic"):
                client.get(path, params={name: f"{CANARY} asthma"})
        client.post("/api/v1/ask", json={"question": f"What does {CANARY} take?"})
        client.post("/api/v1/search", content=f"{{broken {CANARY}".encode())
    ours = [r.getMessage() for r in caplog.records if not r.name.startswith(("httpx", "httpcore"))]
    assert not any(CANARY in line for line in ours)
