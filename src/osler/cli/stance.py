"""``osler stance``: what a text says to a claim, for one pair or a file of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands

if TYPE_CHECKING:
    from osler.kinds import Reject


def register(commands: Commands) -> None:
    @commands.app.command()
    def stance(
        claim: Annotated[str | None, typer.Argument(help="A claim in words.")] = None,
        text: Annotated[str | None, typer.Argument(help="What is judged by it.")] = None,
        claims: Annotated[
            Path | None, typer.Option(help="JSON lines: id, claim, text a line.")
        ] = None,
        out: Annotated[
            Path | None, typer.Option("--out", "-o", help="Where the judged lines go.")
        ] = None,
        teach: Annotated[
            Path | None,
            typer.Option(
                help="JSON lines with claim, text, label: teach a head, written to --out."
            ),
        ] = None,
        head: Annotated[
            Path | None, typer.Option(help="With --claims: a head that --teach has written.")
        ] = None,
    ) -> None:
        """Tell whether a text supports a claim, refutes it, or takes no side.

        osler stance "Aspirin prevents stroke" "Aspirin did not reduce the rate of stroke."
        osler stance --claims pairs.jsonl --out judged.jsonl
        osler stance --teach labelled.jsonl --out head.json
        osler stance --claims pairs.jsonl --head head.json --out judged.jsonl
        """
        from osler.claims.files import judge_file
        from osler.claims.judge import stance as judge
        from osler.errors import InputError

        if teach is not None:
            if out is None or claims is not None or claim is not None:
                raise InputError("teaching needs --out HEAD and nothing to judge beside it")
            _teach(teach, out)
            return
        if claims is None:
            if claim is None or text is None:
                raise InputError(
                    "there is nothing to judge",
                    cure="osler stance CLAIM TEXT, or --claims FILE --out FILE",
                )
            show.json_value(judge(claim, text))
            return
        if claim is not None or out is None:
            raise InputError("a file of claims needs --out FILE and no claim beside it")
        own = None
        if head is not None:
            from osler.claims.own import load_own
            from osler.text.encoder import load_encoder

            own = load_own(head), load_encoder()
        done = judge_file(claims, out, own=own)
        show.say(f"{done.judged:,} pairs judged: {out}")
        _rejected(done.rejects, out)


def _teach(labelled: Path, out: Path) -> None:
    from osler.claims import files
    from osler.claims.own import teach_own
    from osler.text.encoder import load_encoder

    rows, rejects = files.labelled(labelled)
    teach_own(rows, load_encoder()).save(out)
    show.say(f"{len(rows):,} labelled claims taught a head: {out}")
    _rejected(rejects, out)


def _rejected(rejects: Sequence[Reject], out: Path) -> None:
    """Lines that could not be used, each with its number and the reason, beside what was made."""
    if not rejects:
        return
    import msgspec

    place = out.with_name(f"{out.name}.rejects.jsonl")
    place.write_bytes(b"\n".join(msgspec.json.encode(one) for one in rejects) + b"\n")
    show.say(f"{len(rejects):,} lines could not be used: {place}")
