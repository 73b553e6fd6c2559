"""Minimal pairs by template: a statement and a claim that differ in a word or a clause.

For measuring and for tests: they show that the rules hold, not that language is understood.
"""

from __future__ import annotations

from collections.abc import Iterator

_DRUGS = ("Losartan", "Metformin", "Tocilizumab", "Vitamin D", "Colchicine")
_OUTCOMES = ("mortality", "hospital stay", "systolic blood pressure", "stroke", "serum urate")
_VERBS = (("reduced", "reduces", "increases"), ("increased", "increases", "reduces"))


def template_pairs() -> Iterator[tuple[str, str, str]]:
    """Claim, text and side: 200 of them."""
    for at, drug in enumerate(_DRUGS):
        other = _DRUGS[(at + 2) % len(_DRUGS)]
        for outcome in _OUTCOMES:
            past, same, opposite = _VERBS[(at + len(outcome)) % 2]
            base = same.removesuffix("s")
            claim = f"{drug} {same} {outcome}."
            yield claim, f"{drug} significantly {past} {outcome} in patients.", "supports"
            yield claim, f"{drug} did not significantly {base} {outcome} in patients.", "refutes"
            yield (
                f"{drug} does not {base} {outcome}.",
                f"{drug} failed to {base} {outcome}.",
                "supports",
            )
            yield f"{drug} {opposite} {outcome}.", f"{drug} {past} {outcome}.", "refutes"
            level = "lower" if same == "reduces" else "higher"
            yield (
                claim,
                f"{outcome.capitalize()} was {level} with {drug} than with {other}.",
                "supports",
            )
            yield (
                f"{drug} has no effect on {outcome}.",
                f"There was no difference in {outcome} between {drug} and placebo.",
                "supports",
            )
            yield (
                f"{drug} is associated with {outcome}.",
                f"No association was found between {drug} and {outcome}.",
                "refutes",
            )
            yield (
                f"{other} is superior to {drug} for {outcome}.",
                f"{drug} was superior to {other} for {outcome}.",
                "refutes",
            )
