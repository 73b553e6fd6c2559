"""Parameters of an address read at once, for the one resource that is asked most.

FastAPI looks at each parameter of each request anew, which took more than half of what the server
adds to a search. A model reads them all in one go, and describes them the same way.
"""

from __future__ import annotations

from typing import Any, TypeVar

from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError
from starlette.requests import Request

M = TypeVar("M", bound=BaseModel)


def read_query(kind: type[M], request: Request) -> M:
    """The parameters of an address as a model; a problem like any other where they are wrong."""
    given = request.query_params
    schema = kind.model_fields
    values = {
        name: given.getlist(name) if isinstance(schema[name].default, list) else given[name]
        for name in given
        if name in schema
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
