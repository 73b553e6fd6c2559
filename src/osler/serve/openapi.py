"""The OpenAPI description, with the schemas of our own kinds in it."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.responses import Response

from osler import __version__
from osler.serve.answers import Json, components

ABOUT = (
    "Reads medical literature, patient records and knowledge graphs, and answers with evidence. "
    "It supports reading and gives no medical advice."
)


def describe(app: FastAPI, prefix: str) -> None:
    """Let the application describe itself at ``prefix``/openapi.json."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            document = get_openapi(
                title="Osler",
                version=__version__,
                description=ABOUT,
                routes=app.routes,
                license_info={"name": "Apache-2.0", "identifier": "Apache-2.0"},
            )
            schemas = document.setdefault("components", {}).setdefault("schemas", {})
            for name in ("HTTPValidationError", "ValidationError"):
                schemas.pop(name, None)
            schemas.update(components())
            app.openapi_schema = document
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]

    @app.get(f"{prefix}/openapi.json", include_in_schema=False)
    async def description() -> Response:
        return Json(openapi())
