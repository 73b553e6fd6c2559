"""How the interface answers: JSON of our own kinds, which describe themselves in OpenAPI."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.responses import JSONResponse, Response

from osler.serve.problems import MEDIA, Problem

REF = "#/components/schemas/{name}"
_described: dict[str, Any] = {}
_encode = msgspec.json.Encoder().encode

WRONG = {
    400: "something in the request cannot be used",
    404: "the library does not hold it",
    409: "something must be fetched, installed or trained first: the cure says what",
    413: "larger than a limit of the settings",
    422: "a parameter is missing or is not what it should be",
    423: "another program is writing to the library",
    503: "too much to do, or too long a time",
}


class Json(JSONResponse):
    """Any of our kinds as JSON."""

    def render(self, content: Any) -> bytes:
        return content if isinstance(content, bytes) else _encode(content)


def problem_answer(problem: Problem, headers: dict[str, str] | None = None) -> Response:
    return Response(_encode(problem), status_code=problem.status, media_type=MEDIA, headers=headers)


def _schema(kind: Any) -> Any:
    (schema,), components = msgspec.json.schema_components([kind], ref_template=REF)
    _described.update(components)
    return schema


def components() -> dict[str, Any]:
    """The schemas of all kinds that some answer was described with."""
    return dict(_described)


def told(kind: Any, *errors: int, about: str = "the answer", **more: Any) -> dict[str, Any]:
    """What a route says of its answers: the kind, and which problems there may be."""
    _schema(Problem)
    responses: dict[int | str, dict[str, Any]] = {
        200: {
            "description": about,
            "content": {"application/json": {"schema": _schema(kind)}},
        }
    }
    for status in sorted({*errors, 422, 413, 503}):
        responses[status] = {
            "description": WRONG[status],
            "content": {MEDIA: {"schema": {"$ref": REF.format(name="Problem")}}},
        }
    return {"responses": responses, "response_model": None, "response_class": Json, **more}
