"""A question that starts anew: "... - I mean, who has asthma?".

What stood before is taken back; only the patient who was named there is still meant. Where the new
part asks nothing by itself ("does she take aspirin, I mean ibuprofen?"), it is open what of the old
part it replaces, and the words stay ununderstood.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from osler.ask.form.spans import Span

_ASKS = ("ask", "people", "be", "do", "have")
_ABOUT = ("concept", "kind", "attr", "verb", "sex", "marital")


def restated(spans: Sequence[Span]) -> list[Span]:
    """The spans that count: all of them, or the patient and what stands behind the last restart."""
    places = [at for at, span in enumerate(spans) if span.means("restart")]
    if not places:
        return list(spans)
    at = places[-1]
    before = [s for s in spans[:at] if s.person is not None]
    after = [s for s in spans[at + 1 :] if not s.mark]
    if not any(not s.empty for s in spans[:at] if s.person is None):
        return [*spans[:at], *spans[at + 1 :]]
    asks = any(s.means(tag) for s in after[:3] for tag in _ASKS)
    if asks and any(s.means(tag) for s in after for tag in _ABOUT):
        return [*before, *spans[at + 1 :]]
    return [*spans[:at], replace(spans[at], meanings=(), left=True), *spans[at + 1 :]]
