"""How things in patient records are called: one place that makes every id.

``record:<source>/<patient>`` is a patient, ``record:<source>/<patient>/<type>/<key>`` anything that
stands in that patient's records. The named source is part of the id because record 164 of one
collection and record 164 of another are two people; nothing of one patient is ever a node of
another. Parts are written so that no two different ones become the same (P18): ``12/3``, ``12-3``
and ``12 3``, ``P1`` and ``p1`` stay apart. Entities of typed triples of a hospital's own making are
``source:<source>/<type>/<name>``.
"""

from __future__ import annotations

import hashlib
import re
from urllib.parse import unquote

PREFIX = "record:"
SHARED = "source:"
"""How ids begin of what a source's patients share."""
LONGEST = 200
"""Characters of a part beyond which a hash stands for the rest."""
_UNSAFE = re.compile(r"[^\w.+~-]")


def key_of(text: str) -> str:
    """A text as part of an id, one to one: what is no letter, digit or ``_ . + ~ -`` is
    percent-encoded (UTF-8). A lone ``%`` is the empty text; ``%h`` begins a long text's hash."""
    if not text:
        return "%"
    if len(text) > LONGEST:
        whole = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        return f"{key_of(text[: LONGEST // 4])}%h{whole}"
    return _UNSAFE.sub(_percent, text)


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match.group().encode("utf-8", "surrogatepass"))


def text_of(key: str) -> str:
    """What ``key_of`` was given, but for the rest of a long text."""
    return "" if key == "%" else unquote(key.partition("%h")[0], errors="replace")


def patient_id(source: str, patient: str) -> str:
    """The patient that a named source calls ``patient``, byte for byte."""
    return f"{PREFIX}{key_of(source)}/{key_of(patient)}"


def node_id(patient: str, type: str, key: str | int) -> str:
    """The id of something of a patient; ``patient`` is the patient's own id. A number is a place
    among the patient's things of that type, never the same as a text of digits."""
    return f"{patient}/{key_of(type)}/{f'#{key}' if isinstance(key, int) else key_of(key)}"


def patient_name(number: str) -> str:
    """A record's number as people write it: ``P164``; a name that starts with a letter stays."""
    number = number.strip()
    return f"P{number}" if number[:1].isdigit() else number


def shared_id(source: str, *parts: str) -> str:
    """Something of a named source that is no one patient's, or may be several patients'."""
    return f"{SHARED}{key_of(source)}/{'/'.join(map(key_of, parts))}"


def owner(id: str) -> str:
    """The patient whose record holds the entity; empty for an entity that is nobody's."""
    if not id.startswith(PREFIX):
        return ""
    parts = id.split("/", 2)
    return "/".join(parts[:2]) if len(parts) > 1 else ""


def source_of(id: str) -> str:
    """The named source of a patient, of something of a patient, or of what a source's patients
    share; empty for nobody's."""
    if id.startswith(SHARED):
        return text_of(id.removeprefix(SHARED).partition("/")[0])
    return text_of(owner(id).removeprefix(PREFIX).partition("/")[0]) if owner(id) else ""
