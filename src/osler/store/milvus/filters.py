"""Plans and filters as expressions of Milvus.

Expressions hold our own tokens and numbers only, never what somebody wrote. One that says less
than its plan (a phrase is more than its words) lets too much through and is marked as not exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from osler.kinds.query import Filter
from osler.store.milvus.plan import AllOf, AnyOf, Every, Labelled, Nothing, Plan, Stem, Word, Years
from osler.store.milvus.schema import NO_YEAR
from osler.store.milvus.tokens import YES, labels_for

ALL = ""
NONE = "row < 0"


class Expression(NamedTuple):
    """An expression (empty lets all through), and whether it says all that its plan does."""

    text: str
    exact: bool = True


def expression(plan: Plan) -> Expression:
    match plan:
        case Nothing():
            return Expression(NONE)
        case Every():
            return Expression(ALL)
        case Word():
            parts = [_among((each,)) for each in plan.tokens]
            return Expression(conjunction(parts), len(parts) == 1)
        case Stem():
            return Expression(_among(plan.tokens))
        case Years():
            return Expression(_years(plan.low, plan.high))
        case Labelled():
            return Expression(_labelled(plan.labels))
        case AnyOf():
            return _any(plan)
        case AllOf():
            return _all(plan)


def _any(plan: AnyOf) -> Expression:
    words = [
        part.tokens[0] for part, _ in plan.parts if isinstance(part, Word) and len(part.tokens) == 1
    ]
    expressions = [
        expression(part)
        for part, _ in plan.parts
        if not (isinstance(part, Word) and len(part.tokens) == 1)
    ]
    if words:
        # One look for many words is quicker than many looks.
        expressions.append(Expression(_among(tuple(dict.fromkeys(words)))))
    if not expressions:
        return Expression(NONE)
    exact = all(each.exact for each in expressions)
    if any(each.text == ALL for each in expressions):
        return Expression(ALL, exact)
    return Expression(_joined("or", [each.text for each in expressions]), exact)


def _all(plan: AllOf) -> Expression:
    expressions = [expression(part) for part in plan.parts]
    exact = all(each.exact for each in expressions)
    texts = [each.text for each in expressions]
    for part in plan.without:
        inner = expression(part)
        if not inner.exact:
            exact = False  # what lets too much through would hold too much back
        elif inner.text == ALL:
            texts.append(NONE)
        else:
            texts.append(f"not ({inner.text})")
    return Expression(conjunction(texts), exact)


def conjunction(texts: Iterable[str]) -> str:
    return _joined("and", [text for text in dict.fromkeys(texts) if text != ALL])


def _joined(word: str, texts: Sequence[str]) -> str:
    if len(texts) < 2:
        return "".join(texts)
    return f" {word} ".join(f"({text})" for text in texts)


def _among(tokens: Sequence[str]) -> str:
    return f'text_match(words, "{" ".join(tokens)}")'


def _labelled(labels: Iterable[int]) -> str:
    listed = ", ".join(map(str, labels))
    return f"array_contains_any(labels, [{listed}])"


def _years(low: int | None, high: int | None) -> str:
    bounds = [f"year >= {low}" if low is not None else f"year > {NO_YEAR}"]
    if high is not None:
        bounds.append(f"year <= {high}")
    return conjunction(bounds)


def filter_expression(filter: Filter | None) -> str:
    """What must hold of a document before the best are taken."""
    if not filter:
        return ALL
    texts: list[str] = []
    if filter.years:
        texts.append(_years(*filter.years))
    for field, values in (
        ("language", filter.languages),
        ("journal", filter.journals),
        ("type", filter.types),
        ("heading", filter.headings),
        ("keyword", filter.keywords),
    ):
        if values:
            texts.append(_labelled(labels_for(field, values)))
    if filter.has_abstract is not None:
        has = _labelled([YES["abstracted"]])
        texts.append(has if filter.has_abstract else f"not ({has})")
    if filter.exclude_retracted:
        texts.append(f"not ({_labelled([YES['retracted']])})")
    if filter.ids is not None:
        texts.append(_labelled(labels_for("id", filter.ids)) if filter.ids else NONE)
    return conjunction(texts)
