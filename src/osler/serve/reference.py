"""The reference page of the REST interface, made from its own description."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from fastapi import FastAPI

from osler.serve.examples import curl
from osler.serve.openapi import describe
from osler.serve.views.docs import kinds, operations

BEFORE = (
    "osler samples && osler new papers",
    "osler add papers samples/*.csv samples/*.tsv samples/ward.json",
    "osler serve papers",
)


def description() -> dict[str, Any]:
    """The OpenAPI description, without a library behind it."""
    from osler.serve.app import API, RESOURCES

    app = FastAPI(openapi_url=None)
    for name in RESOURCES:
        app.include_router(import_module(f"osler.serve.api.{name}").router, prefix=API)
    describe(app, API)
    return app.openapi()


def _cell(text: object) -> str:
    return " ".join(str(text).split()).replace("|", "\\|")


def rest_page() -> str:
    """Every operation with its parameters and what it answers with."""
    described = description()
    lines = [
        "# REST interface",
        "",
        "Made by `python -m osler.cli.reference docs/reference`. A running server shows the same",
        "at `/docs`, with a form to try each, and as OpenAPI at `/api/v1/openapi.json`.",
        "",
        "The examples run in this order (a test sends them) on a library of the files that",
        "`osler samples` writes:",
        "",
        "```sh",
        *BEFORE,
        "```",
        "",
    ]
    for one in operations(described):
        lines += [f"## `{one['method']} {one['path']}`", "", _cell(one["about"]), ""]
        rows = [("parameter", p) for p in one["parameters"]] + [("body", f) for f in one["fields"]]
        if rows:
            lines += ["| | kind | | |", "| --- | --- | --- | --- |"]
        for where, row in rows:
            cell = ", ".join(part for part in (_cell(row["about"]), _cell(row["limits"])) if part)
            needed = "needed" if row["required"] else ""
            # Which methods there are depends on the packages installed: the server names them.
            kind = "a name that `osler methods` lists" if row["name"] == "method" else row["kind"]
            lines.append(f"| `{row['name']}` ({where}) | {_cell(kind)} | {needed} | {cell} |")
        if rows:
            lines.append("")
        problems = ", ".join(one["problems"])
        lines += [f"Answers with `{one['answer']}`. Problems: {problems}.", ""]
        if line := curl(one["method"], one["path"]):
            lines += ["```sh", line, "```", ""]
    lines += ["## Kinds of answers", "", "| kind | fields |", "| --- | --- |"]
    for kind in kinds(described):
        if kind["fields"]:
            fields = ", ".join(f"`{field['name']}`" for field in kind["fields"])
            lines.append(f"| {kind['name']} | {fields} |")
    return "\n".join(lines) + "\n"
