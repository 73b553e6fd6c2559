"""What only frames a question: where the one who asks stands, what for, what stood before.

Words that no table knows may carry nothing because of where they stand: in a clause of its own
beside the one that asks ("Filling in her passport form: when was Ann Lee born?"), between "my" and
a patient's name, behind a verb that opens the question as an order ("Pull Ann Lee's LDL"). Such
words are set aside where the place decides it and nothing else in the clause could be of the
question: no concept, time, number, status or denial. What the one who asks does or plans may name
such things, unless the question points back to them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from osler.ask.form.lexicon import Meaning
from osler.ask.form.spans import Span

_EMPTY = (Meaning("empty", "-"),)
_FIRST = frozenset(
    ["i", "we", "i'm", "im", "i've", "ive", "i'd", "i'll", "we're", "we've", "we'd", "we'll", "me"]
)
_BACK = frozenset(["it", "its", "that", "this", "those", "these", "them", "then", "one", "such"])
_OURS = frozenset(["my", "our", "your", "this", "these"])
_POINTED = frozenset(["my", "our", "your", "his", "her", "their", "this", "the", "that"])
_INSIDE = frozenset(["in", "on", "from", "within", "across", "among", "of", "for", "at"])
_NARROWING = frozenset(
    [
        *(
            "for",
            "in",
            "on",
            "at",
            "during",
            "since",
            "after",
            "before",
            "between",
            "from",
            "until",
        ),
        *("within", "among", "amongst", "of", "with", "without", "except", "excluding", "apart"),
        *("besides", "other", "while", "when", "under", "over", "not", "no", "all", "only"),
        *("leaving", "including", "counting", "starting", "beginning", "following", "barring"),
        *("regarding", "concerning", "according", "going", "taking", "ignoring", "disregarding"),
        *("excepting", "comparing", "having", "being", "setting", "putting", "assuming"),
    ]
)
_REASONS = (
    *("given that ", "given ", "seeing that ", "seeing as ", "because ", "now that ", "knowing "),
    *("in view of ", "in light of ", "in the light of ", "considering that ", "bearing in mind "),
)
_WHO = ("he", "she", "they", "the patient", "patient")
_FILTERS = (
    *("not", "except", "sure", "compare", "range", "edge", "begin", "trend", "pick", "most"),
    *("nth", "many", "setting", "time"),
)
_LINKS = frozenset(
    ["before", "so that", "so", "because", "as", "while", "when", "that", "in case", "since", "cos"]
)
_ASKS = (
    *("what", "who", "when", "how", "how much", "count", "why", "where", "old", "how often"),
    *("duration", "times", "relative", "average"),
)
_WH = ("when", "how", "what", "which", "since", "on", "in")
_HEAVY = (
    *("kind", "verb", "attr", "relative", "sex", "marital", "not", "sure", "compare", "range"),
    *(
        "trend",
        "edge",
        "most",
        "except",
        "pick",
        "people",
        "nth",
        "many",
        "setting",
        "beyond",
        "left",
    ),
)
_ENDS = ",，;；:：?？.!()。！"
_DASHES = ("-", "–", "—", "…", "\n")


def without_context(spans: Sequence[Span], gaps: Sequence[str]) -> tuple[list[Span], list[str]]:
    """The spans without what was told before a question that stands by itself ("She is due for a
    CT. Is Ann Lee allergic to contrast?"), and that."""
    kept = list(spans)
    parts, main = _main(kept, gaps)
    told = [part for part in parts if part is not main and _context(kept, part, main)]
    return kept, [_set_aside(kept, part) for part in told]


def unframed(spans: Sequence[Span], gaps: Sequence[str]) -> tuple[list[Span], list[str]]:
    """The spans with those that only frame the question emptied, and what these said. ``gaps``
    holds for each span the text between it and the one before."""
    kept = list(spans)
    aside: list[str] = []
    parts, main = _main(kept, gaps)
    for part in parts:
        if part is not main and (_context(kept, part, main) or _only_frames(kept, part, main)):
            aside.append(_set_aside(kept, part))
    for place in (*_besides(kept), *_called(kept), *_held(kept), *_ordered(kept), *_told(kept)):
        aside.append(_set_aside(kept, place))
    _counted(kept)
    return kept, aside


def _main(spans: Sequence[Span], gaps: Sequence[str]) -> tuple[list[range], range]:
    """The clauses of a question, and the one that asks: the last that does, else the fullest."""
    parts = _parts(spans, gaps)
    asking = [part for part in parts if _asks(spans, part)]
    if asking:
        return parts, asking[-1]
    return parts, max(parts, key=lambda part: sum(_of_the_question(spans[at]) for at in part))


def _set_aside(spans: list[Span], part: range) -> str:
    said = []
    for at in part:
        span = spans[at]
        if span.person is None and not span.mark:
            said.append(span.words)
            spans[at] = replace(
                span, meanings=_EMPTY, concept={}, time=None, number=None, left=False, typed=""
            )
    return " ".join(said)


def _parts(spans: Sequence[Span], gaps: Sequence[str]) -> list[range]:
    """The clauses of a question: between marks and dashes, and before a word that asks."""
    starts = [0]
    for at, span in enumerate(spans):
        if at == 0:
            continue
        marked = bool(spans[at - 1].mark) and spans[at - 1].mark in _ENDS
        dashed = any(dash in gaps[at] for dash in _DASHES)
        if marked or dashed or (span.means("ask", *_ASKS) and _opens(spans, at, starts[-1])):
            starts.append(at)
    ends = [*starts[1:], len(spans)]
    return [range(start, end) for start, end in zip(starts, ends, strict=True)]


def _opens(spans: Sequence[Span], at: int, start: int) -> bool:
    """Whether a word that asks opens a clause without a mark before it: unknown words stand
    there, and none that asks."""
    before = spans[start:at]
    asked = any(s.means("ask") for s in before) or (before and before[0].means("be"))
    noun = spans[at].means("ask", "when", "count") and not spans[at].words.lower().startswith(_WH)
    return any(s.left for s in before) and not (asked or noun or before[-1].left)


def _asks(spans: Sequence[Span], part: range) -> bool:
    said = [spans[at] for at in part if not spans[at].mark and not spans[at].empty]
    if any(s.means("ask", *_ASKS) for s in said):
        return True
    opening = next((spans[at] for at in part if not spans[at].mark), None)
    sentence = spans[part[-1]].mark in (".", "!", "。")
    helps = (
        opening is not None
        and not (opening.empty or sentence)
        and any(opening.means(tag) for tag in ("be", "do", "have"))
    )
    full = any(s.means(tag) for s in said for tag in ("concept", "attr", "kind"))
    return helps or (spans[part[-1]].mark in ("?", "？") and full)


def _context(spans: Sequence[Span], part: range, main: range) -> bool:
    """What is told before a question that stands by itself: a sentence, why it is asked, what the
    one who asks does or plans."""
    told = [spans[at] for at in part]
    if not any(_of_the_question(s) or s.left for s in told):
        return False
    said = [spans[at] for at in main]
    back = any(s.words.lower() in _BACK for s in said if s.time is None)
    if back or not any(_of_the_question(s) for s in said) or part[-1] > main[0]:
        return False
    named = any(s.person is not None for s in said)
    if named and told[-1].mark in (".", "!", "。") and len(told) > 2:
        return True
    known = named or any(s.person is not None for s in spans)
    if not known or _dated(told) or any(s.means("left") for s in told):
        return False
    if told[0].means("time") and any(_past(s) for s in told):
        # "Before we started lisinopril": when, and not why.
        return False
    return _first_person(told) or _reason(told) or (named and _participle(told))


def _past(span: Span) -> bool:
    helps = any(span.means(tag, "past") for tag in ("be", "have", "do"))
    return helps or span.means("begin") or span.value("verb").endswith("past")


def _by_itself(spans: Sequence[Span], main: range) -> bool:
    said = [spans[at] for at in main]
    named = any(s.person is not None for s in said)
    back = any(s.words.lower() in _BACK for s in said if s.time is None)
    return named and not back and any(_of_the_question(s) for s in said)


def _reason(spans: Sequence[Span]) -> bool:
    """ "Given that she has asthma", "now that he is home": why somebody asks."""
    words = " ".join(s.words.lower() for s in spans)
    opened = words.startswith(_REASONS)
    subject = len(spans) > 2 and (spans[1].person is not None or spans[1].words.lower() in _WHO)
    holds = subject and any(spans[2].means(tag, "now") for tag in ("have", "be"))
    return opened or (words.startswith(("as ", "since ")) and holds)


def _participle(spans: Sequence[Span]) -> bool:
    """ "Reviewing his kidneys": what somebody does meanwhile; "excluding those" narrows."""
    opening = spans[0].words.lower().split()[0]
    filters = any(_filters(s) for s in spans)
    return opening.endswith("ing") and opening not in _NARROWING and not filters


def _filters(span: Span) -> bool:
    """Words that say which of many things are asked for."""
    when = span.means("when") and not span.means("when", "now")
    return when or any(span.means(tag) for tag in _FILTERS)


def _first_person(spans: Sequence[Span]) -> bool:
    return any(set(s.words.lower().split()) & _FIRST for s in spans)


def _dated(spans: Sequence[Span]) -> bool:
    return any(s.time is not None and any(c.isdigit() for c in s.words) for s in spans)


def _only_frames(spans: Sequence[Span], part: range, main: range) -> bool:
    """Whether a clause with unknown words only frames the question."""
    some = [spans[at] for at in part if not spans[at].mark]
    unknown = [s for s in some if s.left]
    if not unknown or any(_may_be_name(s, first=s is some[0]) for s in unknown):
        return False
    if not any(_of_the_question(s) for s in some):
        return True
    filters = any(_filters(s) for s in some)
    return _by_itself(spans, main) and not (filters or _dated(some) or _narrows(some))


def _may_be_name(span: Span, *, first: bool) -> bool:
    return span.words[:1].isupper() and (not first or len(span.words) == 1)


def _narrows(spans: Sequence[Span]) -> bool:
    """ "For gout ...", "since her operation ...": a clause that says of which things or when."""
    opening = spans[0].words.lower().split()[0]
    return opening in _NARROWING and any(_of_the_question(s) for s in spans[1:])


def _of_the_question(span: Span) -> bool:
    if span.means("concept") or span.time is not None or span.number is not None:
        return True
    when = span.means("when") and not span.means("when", "now")
    return when or any(span.means(tag) for tag in _HEAVY) or span.means("ask")


def _called(spans: Sequence[Span]) -> list[range]:
    """ "My gran Ann Lee", "the pensioner Ann Lee": what the patient who is named is besides."""
    places = []
    for at, span in enumerate(spans):
        if span.person is None or span.person.how == "part":
            continue
        back = at - 1
        while back > 0 and spans[back].left and spans[back].words.islower() and at - back < 3:
            back -= 1
        if back < at - 1 and spans[back].words.lower() in _POINTED:
            places.append(range(back, at))
    return places


def _besides(spans: Sequence[Span]) -> list[range]:
    """ "Ann Lee, who died in May, ...": what is told of the one patient who bears the name."""
    for at, span in enumerate(spans[:-2]):
        alone = span.person is not None and len(span.person.patients) == 1
        if not alone or spans[at + 1].mark != "," or spans[at + 2].words.lower() != "who":
            continue
        end = next((i for i in range(at + 3, len(spans)) if spans[i].mark in tuple(_ENDS)), 0)
        if end and end + 1 < len(spans):
            return [range(at + 2, end)]
    return []


def _held(spans: Sequence[Span]) -> list[range]:
    """ "In this set", "on our panel": what holds the records, by a word that nobody knows."""
    places = []
    for at, span in enumerate(spans[:-2]):
        inside = span.words.lower().split()[-1] in _INSIDE
        if inside and spans[at + 1].words.lower() in _OURS and spans[at + 2].left:
            places.append(range(at, at + 3))
    return places


def _ordered(spans: Sequence[Span]) -> list[range]:
    """ "Pull Ann Lee's LDL", "kindly unearth the date of ...": an order to the one who is asked."""
    opening = next((at for at, s in enumerate(spans) if not s.mark and not s.empty), len(spans))
    if opening + 1 >= len(spans) or not spans[opening].left:
        return []
    after = spans[opening + 1]
    owned = after.person is not None and after.owner
    pointed = after.words.lower() in ("the", "me", "us", "up", "out", "all", "any")
    return [range(opening, opening + 1)] if owned or pointed else []


def _counted(spans: list[Span]) -> None:
    """ "The number of bouts of sinusitis": what is counted, by a word that nobody knows, are the
    times of the thing."""
    for at in range(len(spans) - 3):
        count, unknown, of, thing = spans[at : at + 4]
        things = "condition" in thing.concept or "procedure" in thing.concept
        if count.means("ask", "count") and unknown.left and of.words.lower() == "of" and things:
            spans[at + 1] = replace(unknown, meanings=(Meaning("ask", "times"),), left=False)


def _told(spans: Sequence[Span]) -> list[range]:
    """ "... so I can phone her", "... before we discharge him": a clause of the one who asks."""
    for at, span in enumerate(spans):
        if span.words.lower() not in _FIRST:
            continue
        start = at
        while start > 0 and spans[start - 1].words.lower() in _LINKS:
            start -= 1
        end = at
        while end < len(spans) and not (spans[end].mark and spans[end].mark in _ENDS):
            end += 1
        inner = spans[at:end]
        plain = not any(_of_the_question(s) and not s.means("beyond") for s in inner)
        if start < at and plain and any(s.left for s in inner):
            return [range(start, end)]
    return []
