"""Papers on a claim, for people at a terminal: the balance first, then each paper's side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from osler.cli import show

if TYPE_CHECKING:
    from rich.text import Text

    from osler.kinds import Hit
    from osler.kinds.reason import StanceReason
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
    for number, hit in enumerate(ranking.hits, 1):
        side = stance_of(hit)
        if side is not None:
            show.console().print(_paper(number, hit, side), soft_wrap=False)


def _paper(number: int, hit: Hit, side: StanceReason) -> Text:
    """One paper: its side with the probabilities, what it is, the sentence, what held back."""
    from rich.text import Text

    retracted = "RETRACTED " if hit.retracted else ""
    design = f", {side.design}" if side.design else ""
    sides = f"supports {side.supports:.2f}, refutes {side.refutes:.2f}"
    text = Text(f"{number:2}  {side.stance} ({sides})\n", style="bold")
    text.append(f"    {retracted}{hit.title}  {hit.id}{design}\n", style="not bold")
    if hit.evidence:
        text.append(f"    {hit.evidence.text}\n", style="not bold italic")
    if side.why:
        text.append(f"    {'; '.join(side.why)}\n", style="not bold dim")
    return text
