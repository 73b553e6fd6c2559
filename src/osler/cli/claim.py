"""Papers on a claim, for people at a terminal: the balance first, then each paper's side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from osler.cli import show

if TYPE_CHECKING:
    from osler.library import Library


def show_claim(
    library: Library, claim: str, *, k: int, as_json: bool, whole: bool, without: bool
) -> None:
    """Judges the papers of a library and prints them."""
    from osler.verbs.stance import ClaimRequest, stance, stance_of

    ranking = stance(library, ClaimRequest(claim=claim, k=k, without_model=without))
    show.told(ranking)
    if as_json:
        show.hits(ranking, whole=whole)
        return
    balance = ranking.balance
    if balance is not None:
        show.say(f"{balance.words}. A count of papers, not an answer.")
        for design, sides in balance.designs.items():
            show.say(f"  {design}: " + ", ".join(f"{side} {n}" for side, n in sides.items()))
    rows = []
    for hit in ranking.hits:
        side = stance_of(hit)
        if side is not None:
            sentence = hit.evidence.text if hit.evidence else ""
            title = ("RETRACTED " if hit.retracted else "") + hit.title
            rows.append(
                (
                    side.stance,
                    f"{side.supports:.2f}",
                    f"{side.refutes:.2f}",
                    hit.id,
                    side.design,
                    title,
                    sentence,
                    "; ".join(side.why),
                )
            )
    columns = ("side", "supports", "refutes", "paper", "design", "title", "sentence", "why")
    show.table(columns, rows, right=("supports", "refutes"))
