"""What a question says of the one who asks: "that I should know of", "before I ring the family".

Such a clause carries nothing that a record tells. It is taken for one only where the one who asks
is its subject and its verb is one of asking or telling, and where it names no patient, no time and
nothing of the records: "drugs I should stop" and "before we started metformin" stay what they are.
"""

from __future__ import annotations

from collections.abc import Sequence

from osler.ask.form.spans import Span

_ASKERS = frozenset(["i", "we"])
_MODALS = frozenset(["should", "must", "can", "could", "may", "might", "need", "ought", "would"])
_LINKS = frozenset(["before", "so that", "so", "because", "as", "while", "when", "that", "in case"])
_IT = frozenset(["it", "this", "that", "these", "those", "they"])
_ENDS = ",，;；:：?？.!"


def asker_asides(spans: Sequence[Span]) -> set[int]:
    """The places of the spans that only speak of the one who asks."""
    places: set[int] = set()
    named = any(s.person is not None for s in spans)
    for at, span in enumerate(spans):
        word = span.words.lower()
        if named and at and span.means("relative") and spans[at - 1].words.lower() == "my":
            # "My mum, Cora Diaz": the patient is the relative of the one who asks.
            places |= {at - 1, at}
        if word in _ASKERS:
            places |= _clause_of(spans, at)
        elif word in _MODALS:
            places |= _request(spans, at)
    return places


def _clause_of(spans: Sequence[Span], at: int) -> set[int]:
    """ "I should hand over", "so that I can check their doses", "before I ring the family"."""
    verb = at + 1
    modal = verb < len(spans) and spans[verb].words.lower() in _MODALS
    verb += modal
    if verb >= len(spans) or not spans[verb].means("asker"):
        return set()
    start = at
    while start > 0 and spans[start - 1].words.lower() in _LINKS:
        start -= 1
    if start == at:
        # A relative clause, "allergies I should mention": its verb ends it.
        return set(range(at, verb + 1)) if modal else set()
    end = verb + 1
    while end < len(spans) and not (spans[end].mark and spans[end].mark in _ENDS):
        end += 1
    inner = spans[verb + 1 : end]
    if any(s.person or s.time or s.number is not None or s.concept or s.left for s in inner):
        return set()
    # What opens or closes the question; in the middle it may belong to what stands around it.
    outer = all(s.mark or s.empty for s in spans[:start]) or all(s.mark for s in spans[end:])
    return set(range(start, end)) if outer else set()


def _request(spans: Sequence[Span], at: int) -> set[int]:
    """ "Could it be supplied?": a request in the passive that closes the question."""
    words = [s.words.lower() for s in spans[at + 1 :] if not s.mark]
    asked = len(words) == 3 and words[0] in _IT and words[1] == "be"
    told = asked and (spans[at + 3].means("asker") or words[2] in ("supplied", "listed", "given"))
    return set(range(at, len(spans))) if told else set()
