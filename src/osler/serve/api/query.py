"""Parameters of an address read at once, for the one resource that is asked most.

FastAPI looks at each parameter of each request anew, which took more than half of what the server
adds to a search. A model reads them all in one go, and describes them the same way.
"""

from __future__ import annotations

import difflib
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, TypeVar

from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError
from starlette.requests import Request

M = TypeVar("M", bound=BaseModel)


def refuse_unknown(given: Iterable[str], known: Iterable[str]) -> None:
    """A parameter that a resource does not know is a problem: a filter whose name is misspelt would
    leave nothing out, and nobody would see it."""
    names = sorted(known)
    wrong = []
    for name in sorted(set(given) - set(names)):
        near = difflib.get_close_matches(name, names, n=1)
        hint = f"did you mean {near[0]}?" if near else f"parameters: {', '.join(names) or 'none'}"
        said = f"there is no such parameter; {hint}"
        wrong.append({"type": "extra_forbidden", "loc": ("query", name), "msg": said})
    if wrong:
        raise RequestValidationError(wrong)


def known_alone(prefix: str) -> Callable[[Request], Awaitable[None]]:
    """The same for resources whose parameters the framework reads, by how they are described."""

    async def refuse(request: Request) -> None:
        # Routers that are included know their own part of the path, or the whole of it.
        own = getattr(request.scope.get("route"), "path", "").removeprefix(prefix)
        resource = request.app.openapi()["paths"].get(prefix + own, {})
        described = resource.get(request.method.lower())
        if described is not None:
            listed = described.get("parameters", ())
            known = [one["name"] for one in listed if one["in"] == "query"]
            refuse_unknown(request.query_params, known)

    return refuse


def read_query(kind: type[M], request: Request) -> M:
    """The parameters of an address as a model; a problem like any other where they are wrong."""
    given = request.query_params
    schema = kind.model_fields
    refuse_unknown(given, schema)
    values = {
        name: given.getlist(name) if isinstance(schema[name].default, list) else given[name]
        for name in given
    }
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        errors = error.errors(include_url=False, include_context=False)
        raise RequestValidationError(
            [{**one, "loc": ("query", *one["loc"])} for one in errors]
        ) from None


def parameters(kind: type[BaseModel]) -> dict[str, Any]:
    """The same parameters for the description of a route."""
    schema = kind.model_json_schema()
    needed = set(schema.get("required", []))
    return {
        "parameters": [
            {
                "name": name,
                "in": "query",
                "required": name in needed,
                "schema": {key: value for key, value in field.items() if key != "description"},
                **({"description": field["description"]} if "description" in field else {}),
            }
            for name, field in schema["properties"].items()
        ]
    }
