"""What became of records that are no fault: merged, replaced, passed over. Never their text."""

from __future__ import annotations

from typing import Literal

import msgspec

What = Literal["stored", "merged", "replaced", "skipped"]


class Note(msgspec.Struct, frozen=True, omit_defaults=True):
    """A reader, or the library, says what it did with ``count`` records that came in.

    stored    they are in, and there is something to say: another paper shares their DOI (the
              library's own word, never a reader's)
    merged    they became a part of another record (two rows of one patient)
    replaced  they took the place of what was there, or lost their place to a better one
    skipped   they were passed over by rule, and the rule is the reason: "resources of type Claim
              are not read". A record that is broken is a ``Reject``, never a skip.

    ``place`` and ``reason`` are as a reject's: the reason quotes nothing of the record.
    """

    file: str
    place: str
    what: What
    reason: str
    id: str = ""
    count: int = 1
