"""Parameters that several resources share. Their limits are those of the settings."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Query, Request
from pydantic import BaseModel, BeforeValidator, ConfigDict, StringConstraints
from pydantic_core.core_schema import CoreSchema, no_info_after_validator_function

from osler.errors import ChoiceError
from osler.registry import Registry
from osler.serve.desk import Desk
from osler.settings import MAX_HITS, MAX_NAME, MAX_PAGE, MAX_QUERY

WORDS = r"\S"
"""At least one character that is not blank."""
LIMIT, DEEP = MAX_PAGE.get(), MAX_HITS.get() - MAX_PAGE.get()


async def _desk(request: Request) -> Desk:
    desk: Desk = request.app.state.desk
    return desk


At = Annotated[Desk, Depends(_desk)]
Text = Annotated[str, Query(min_length=1, max_length=MAX_QUERY.get(), pattern=WORDS)]
Id = Annotated[str, Query(min_length=1, max_length=MAX_NAME.get(), description="An id.")]
Name = Annotated[
    str, Query(min_length=1, max_length=MAX_NAME.get(), description="An entity's id or name.")
]
Limit = Annotated[int, Query(ge=1, le=LIMIT, description="How many at most.")]
Offset = Annotated[int, Query(ge=0, le=DEEP, description="How many to leave out: a later page.")]

Cursor = Annotated[
    str, Query(max_length=2 * MAX_NAME.get(), description="Where a page ended: its cursor.")
]

LongText = Annotated[
    str, StringConstraints(min_length=1, max_length=MAX_QUERY.get(), pattern=WORDS)
]
Named = Annotated[str, StringConstraints(min_length=1, max_length=MAX_NAME.get())]


def _whole(value: object) -> object:
    """2.0 is an integer to JSON Schema; "2" is not."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


WHOLE = BeforeValidator(_whole)
"""After the limits of a number, so that they stay in its description."""


class Choice:
    """A name of a registry: its own methods and those of strangers' packages."""

    def __init__(self, registry: Registry[Any]) -> None:
        self.registry = registry

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> CoreSchema:
        return no_info_after_validator_function(self._known, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: Any) -> dict[str, Any]:
        return {"type": "string", "enum": self.registry.names()}

    def _known(self, name: str) -> str:
        try:
            self.registry.get(name)
        except ChoiceError as error:
            raise ValueError(f"{error.message}; {error.cure}") from None
        return name


class Body(BaseModel):
    """A request's body; what it does not know it refuses."""

    model_config = ConfigDict(extra="forbid", strict=True)
