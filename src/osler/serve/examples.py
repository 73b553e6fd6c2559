"""One example of every operation of the REST interface, on the files that ``osler samples`` writes.

In their order they can be sent to one server, one after the other; a test does. The reference shows
each as a line for curl, and ``/docs`` fills its forms with them.
"""

from __future__ import annotations

import json
import shlex
from typing import Any
from urllib.parse import quote, urlencode

import msgspec

ADDRESS = "http://127.0.0.1:8642"
"""Where ``osler serve`` listens by default."""


class FilledExample(msgspec.Struct, frozen=True):
    """What is filled in: in the path, behind the question mark, in the body."""

    path: dict[str, str] = {}
    query: dict[str, Any] = {}
    body: dict[str, Any] | None = None

    def address(self, path: str) -> str:
        """A path of the interface with what is filled in."""
        for name, value in self.path.items():
            path = path.replace(f"{{{name}}}", quote(value, safe=""))
        return f"{path}?{urlencode(self.query, doseq=True)}" if self.query else path


def _get(**query: Any) -> FilledExample:
    return FilledExample(query=query)


def _post(**body: Any) -> FilledExample:
    return FilledExample(body=body)


def _project(
    query: dict[str, Any] | None = None, body: dict[str, Any] | None = None
) -> FilledExample:
    return FilledExample({"name": "insomnia"}, query or {}, body)


EXAMPLES: dict[str, FilledExample] = {
    "GET /search": _get(q="does melatonin improve sleep", limit=3),
    "GET /export": _get(q="asthma AND child*", format="ris"),
    "GET /facets": _get(q="asthma AND child*"),
    "GET /searches": _get(),
    "POST /searches": _post(name="muscle", q="statin* AND muscle"),
    "GET /searches/{name}": FilledExample({"name": "muscle"}),
    "GET /alerts": _get(name="muscle"),
    "POST /searches/{name}/remove": FilledExample({"name": "muscle"}),
    "GET /query": _get(q="primary care[ti] AND asthma[mh]", to="ovid"),
    "GET /documents": _get(limit=2),
    "GET /documents/{id}": FilledExample({"id": "m1"}, {"with": ["mentions", "related"]}),
    "GET /duplicates": _get(),
    "POST /duplicates": _post(ids=["a1", "a2"], apart=True),
    "GET /summarise": _get(id="a1", sentences=1),
    "POST /link": _post(text="no evidence of asthma or insomnia"),
    "GET /entities": _get(starts="simva"),
    "GET /entities/{id}": FilledExample({"id": "C:asthma"}),
    "GET /suggest": _get(head="Budesonide", relation="treats", limit=3),
    "GET /paths": _get(source="simvastatin", target="myalgia", length=4),
    "GET /rank": _get(topic="melatonin and sleep", limit=2),
    "POST /rank": _post(
        topic="melatonin and sleep",
        examples=[{"document": "m1", "relevant": True}, {"document": "s1", "relevant": False}],
        limit=2,
    ),
    "GET /rank/events": _get(topic="melatonin and sleep", limit=2),
    "GET /projects": _get(),
    "POST /projects": _post(
        name="insomnia",
        question="Does melatonin help adults with insomnia?",
        reasons=["wrong population"],
        reviewers=1,
    ),
    "GET /projects/{name}": _project(),
    "POST /projects/{name}/card": _project(body={"highlights": ["melatonin"]}),
    "POST /projects/{name}/card/undo": _project(),
    "POST /projects/{name}/searches": _project(body={"query": "sleep OR asthma"}),
    "POST /projects/{name}/groups": _project(body={"reviewer": "ann"}),
    "POST /projects/{name}/groups/apart": _project(body={"document": "a1", "reviewer": "ann"}),
    "GET /projects/{name}/next": _project({"reviewer": "ann", "limit": 2}),
    "POST /projects/{name}/decisions": _project(
        body={"document": "m1", "verdict": "include", "reviewer": "ann"}
    ),
    "POST /projects/{name}/not-retrieved": _project(body={"document": "m1", "reviewer": "ann"}),
    "POST /projects/{name}/undo": _project(body={"reviewer": "ann"}),
    "GET /projects/{name}/conflicts": _project(),
    "GET /projects/{name}/prisma": _project(),
    "GET /projects/{name}/log": _project(),
    "GET /projects/{name}/export": _project({"format": "ris"}),
    "POST /projects/{name}/import": _project(
        body={"text": "TY  - JOUR\nTI  - Sleep in nurses\nER  - \n", "name": "more.ris"}
    ),
    "GET /sentences": _get(topic="melatonin and sleep", id=["m1", "m5"]),
    "GET /grade": _get(head="metformin", relation="treats", tail="type 2 diabetes", limit=2),
    "GET /claim": _get(claim="vitamin D prevents respiratory infections", limit=5),
    "POST /stance": _post(claim="Aspirin prevents stroke", text="Aspirin did not reduce stroke."),
    "POST /curate": _post(
        head="metformin",
        relation="treats",
        tail="type 2 diabetes",
        paper="m1",
        said="unsure",
        by="ann",
    ),
    "GET /curate": _get(),
    "GET /brief": _get(question="does vitamin D prevent respiratory infections?", limit=20),
    "POST /match": _post(question="What helps against a migraine attack?", limit=2),
    "POST /ask": _post(question="What is Ana Lund on at the moment?"),
    "POST /feedback": _post(query="melatonin and sleep", judgements={"m1": 1, "m6": None}),
    "GET /feedback": _get(query="melatonin and sleep"),
    "GET /patients": _get(),
    "POST /patients/join": _post(system="urn:oid:2.16.840.1.113883.19.5"),
    "POST /patients/remove": _post(
        kind="patient", name="record:ward/w-3", confirm="record:ward/w-3"
    ),
    "GET /status": _get(),
    "GET /status/events": _get(),
}
"""By method and path below ``/api/v1``."""

API = "/api/v1"


def example_of(method: str, path: str) -> FilledExample | None:
    """The example of an operation; None of one that another package brings."""
    return EXAMPLES.get(f"{method.upper()} {path.removeprefix(API)}")


def curl(method: str, path: str) -> str:
    """The operation as a line for curl."""
    example = example_of(method, path)
    if example is None:
        return ""
    address = shlex.quote(f"{ADDRESS}{example.address(path)}")
    if example.body is None:
        return f"curl {address}"
    body = shlex.quote(json.dumps(example.body, ensure_ascii=False))
    return f"curl {address} -H 'Content-Type: application/json' \\\n  -d {body}"
