"""Papers on a claim, for people at a terminal: the balance first, then each paper's side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from osler.cli import show

if TYPE_CHECKING:
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
            _paper(number, hit, side)


def _paper(number: int, hit: Hit, side: StanceReason) -> None:
    """One paper: its side with the probabilities, what it is, the sentence, what held back."""
    from rich.padding import Padding
    from rich.text import Text

    from osler.text.chance import chance

    sides = f"supports {chance(side.supports)}, refutes {chance(side.refutes)}"
    design = f", {side.design}" if side.design else ""
    lines = [
        Text(f"{'RETRACTED ' if hit.retracted else ''}{hit.title}  {hit.id}{design}"),
        Text(hit.evidence.text if hit.evidence else "", style="italic"),
        Text("; ".join(side.why), style="dim"),
    ]
    console = show.console()
    console.print(Text(f"{number:2}  {side.stance} ({sides})", style="bold"))
    for line in filter(None, lines):
        console.print(Padding(line, (0, 0, 0, 4)))
