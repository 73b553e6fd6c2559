"""The documentation of the interface, made on the server from its own description."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from osler.serve.desk import Desk
from osler.serve.examples import FilledExample, example_of
from osler.serve.images import MEDIA, image_file
from osler.serve.page import framed, shown
from osler.serve.problems import STATUS, titles

router = APIRouter()


def _name(reference: str) -> str:
    return reference.rsplit("/", 1)[-1]


def _kind(schema: dict[str, Any]) -> str:
    """A schema in a few words."""
    if "$ref" in schema:
        return _name(schema["$ref"])
    for joint in ("anyOf", "oneOf"):
        if joint in schema:
            return " or ".join(dict.fromkeys(_kind(one) for one in schema[joint]))
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "const" in schema:
        return str(schema["const"])
    if schema.get("type") == "array":
        items = schema.get("items") or schema.get("prefixItems") or {}
        if isinstance(items, list):
            return f"({', '.join(map(_kind, items))})"
        return f"list of {_kind(items)}"
    kind = schema.get("type", "any")
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def _limits(schema: dict[str, Any]) -> str:
    limits = {
        "minimum": "at least {}",
        "maximum": "at most {}",
        "minLength": "at least {} characters",
        "maxLength": "at most {} characters",
        "maxItems": "at most {} of them",
        "pattern": "like {}",
    }
    parts = [schema, *schema.get("anyOf", [])]
    return ", ".join(
        words.format(part[name]) for part in parts for name, words in limits.items() if name in part
    )


def operations(description: dict[str, Any]) -> list[dict[str, Any]]:
    """The interface, one entry an operation, in the order of its resources."""
    listed = []
    schemas = description["components"]["schemas"]
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            parameters = [
                {
                    "name": p["name"],
                    "in": p["in"],
                    "required": p.get("required", False),
                    "kind": _kind(p["schema"]),
                    "limits": _limits(p["schema"]),
                    "about": p.get("description", ""),
                    "default": p["schema"].get("default"),
                }
                for p in operation.get("parameters", [])
            ]
            body = operation.get("requestBody", {}).get("content", {}).get("application/json")
            fields = []
            if body:
                schema = schemas[_name(body["schema"]["$ref"])]
                fields = [
                    {
                        "name": name,
                        "required": name in schema.get("required", []),
                        "kind": _kind(field),
                        "limits": _limits(field),
                        "about": field.get("description", ""),
                        "default": field.get("default"),
                    }
                    for name, field in schema["properties"].items()
                ]
            example = example_of(method, path) or FilledExample()
            answer = operation["responses"]["200"]["content"]
            media, content = next(iter(answer.items()))
            listed.append(
                {
                    "method": method.upper(),
                    "path": path,
                    "about": operation.get("description", ""),
                    "parameters": parameters,
                    "fields": fields,
                    "answer": _kind(content.get("schema", {})) if "json" in media else media,
                    "problems": sorted(s for s in operation["responses"] if s != "200"),
                    "tag": (operation.get("tags") or [""])[0],
                    "id": operation["operationId"],
                    "filled": {**example.query, **example.path},
                    "body": json.dumps(example.body or {}, ensure_ascii=False, indent=1),
                    # Only what writes can meet another program that writes.
                    "writes": "423" in operation["responses"],
                }
            )
    return listed


def kinds(description: dict[str, Any]) -> list[dict[str, Any]]:
    listed = []
    for name, schema in sorted(description["components"]["schemas"].items()):
        fields = [
            {"name": field, "kind": _kind(kind), "always": field in schema.get("required", [])}
            for field, kind in schema.get("properties", {}).items()
        ]
        about = " ".join(schema.get("description", "").split())
        listed.append({"name": name, "about": about, "fields": fields})
    return listed


@router.get("/docs")
async def view(request: Request) -> Response:
    async def answer() -> Response:
        described = request.app.openapi()
        by_class = {kind.code: status for kind, status in reversed(STATUS)}
        return shown(
            request,
            "docs.html",
            view="docs",
            title="REST interface",
            operations=operations(described),
            kinds=kinds(described),
            errors=sorted(titles().items()),
            statuses=by_class,
        )

    # It is long: the browser draws the frame while the rest is written.
    title = "REST interface"
    return await framed(request, asyncio.sleep(0), answer, view="docs", title=title, at_once=True)


@router.get("/images/{name:path}")
async def image(request: Request, name: str) -> Response:
    desk: Desk = request.app.state.desk
    file = image_file(desk.path, name)
    return FileResponse(file, media_type=MEDIA[file.suffix.lower()])


@router.get("/favicon.ico")
async def favicon() -> Response:
    return Response(status_code=204)
