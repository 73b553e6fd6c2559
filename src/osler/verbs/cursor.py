"""Cursors: where a list goes on, for programs that read it to its end.

A cursor is made by the library and given back as it is: the place in the list, and the state of
the library when the list was begun.
"""

from __future__ import annotations

import base64
import binascii

import msgspec

from osler.errors import InputError


class Cursor(msgspec.Struct, frozen=True, array_like=True):
    """``at`` hits are behind; ``after`` is the last id of a list in order of ids; ``seq`` the last
    change that the library knew."""

    at: int = 0
    after: str = ""
    seq: int = 0


def written(cursor: Cursor) -> str:
    return base64.urlsafe_b64encode(msgspec.json.encode(cursor)).decode().rstrip("=")


def read(text: str) -> Cursor:
    """A cursor that was handed out; anything else is an error."""
    try:
        body = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        cursor = msgspec.json.decode(body, type=Cursor)
    except (binascii.Error, ValueError, msgspec.DecodeError):
        raise InputError("this is no cursor of a list", cure="begin without one") from None
    if cursor.at < 0:
        raise InputError("this is no cursor of a list", cure="begin without one")
    return cursor
