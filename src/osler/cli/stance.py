"""``osler stance``: what a text says to a claim, for one pair or a file of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands


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
    ) -> None:
        """Tell whether a text supports a claim, refutes it, or takes no side.

        osler stance "Aspirin prevents stroke" "Aspirin did not reduce the rate of stroke."
        osler stance --claims pairs.jsonl --out judged.jsonl
        """
        from osler.claims.files import judge_file
        from osler.claims.judge import stance as judge
        from osler.errors import InputError

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
        done = judge_file(claims, out)
        show.say(f"{done.judged:,} pairs judged: {out}")
        if done.rejects:
            place = out.with_name(f"{out.name}.rejects.jsonl")
            import msgspec

            lines = b"\n".join(msgspec.json.encode(one) for one in done.rejects)
            place.write_bytes(lines + b"\n")
            show.say(f"{len(done.rejects):,} lines could not be judged: {place}")
