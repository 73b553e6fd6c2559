"""Model cards: what a model was trained on, how well it does, what it is and is not for."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from typing import Any

import msgspec

PACKAGES = ("osler", "numpy", "scipy", "scikit-learn", "torch", "transformers", "gensim")


class Measured(msgspec.Struct, frozen=True, omit_defaults=True):
    """A measure with its interval; ``on`` says over what ("15 splits", "2,000 held-out pairs").

    A value that is not defined (NaN) comes back from disk as None: JSON has no NaN.
    """

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None
    on: str = ""


class Card(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everything a reader of a model should know. Written by training, never by hand."""

    name: str
    what: str
    method: str = ""
    data: str = ""
    data_hash: str = ""
    seed: int = 0
    measures: tuple[Measured, ...] = ()
    settings: dict[str, Any] = {}
    versions: dict[str, str] = {}
    intended_use: str = ""
    known_failures: tuple[str, ...] = ()
    taken: bool = True
    """False where training found that the model loses against what needs none: it is not used."""
    verdict: str = ""
    """What ``taken`` rests on, in one line."""

    def markdown(self) -> str:
        lines = [f"# {_plain(self.name)}", "", _plain(self.what), ""]
        facts = [
            ("Method", self.method),
            ("Trained on", self.data),
            ("SHA-256 of the data", self.data_hash),
            ("Seed", str(self.seed)),
            ("Used", "" if self.taken else f"no. {self.verdict}".strip()),
        ]
        lines += [f"- {name}: {_plain(value)}" for name, value in facts if value]
        lines += ["", "## Measures", ""]
        if self.measures:
            lines += ["| measure | value | 95 % interval | over |", "| --- | --- | --- | --- |"]
            lines += [_row(measured) for measured in self.measures]
        else:
            lines.append("None was taken: treat this model's answers as unmeasured.")
        lines += ["", "## Intended use", "", _plain(self.intended_use) or "Not stated.", ""]
        lines += ["## Known failures", ""]
        lines += [f"- {_plain(failure)}" for failure in self.known_failures] or ["None is known."]
        lines += _table("Settings", self.settings) + _table("Versions", self.versions)
        return "\n".join(lines) + "\n"


def versions(packages: Iterable[str] = PACKAGES) -> dict[str, str]:
    """The versions of those packages that are installed."""
    # Cards are written seldom, and read wherever a library looks for its models.
    from importlib import metadata

    installed = {}
    for package in packages:
        try:
            installed[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return installed


def data_hash(texts: Iterable[str]) -> str:
    """SHA-256 over texts in their order; lengths are hashed too, so that no two lists collide."""
    digest = hashlib.sha256()
    for text in texts:
        data = text.encode("utf-8", errors="surrogatepass")
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()


def _row(measured: Measured) -> str:
    interval = ""
    if measured.low is not None and measured.high is not None:
        interval = f"{_number(measured.low)} to {_number(measured.high)}"
    name, on = _plain(measured.name), _plain(measured.on)
    return f"| {name} | {_number(measured.value)} | {interval} | {on} |"


def _number(value: float | None) -> str:
    return "not defined" if value is None or math.isnan(value) else f"{value:.3f}"


def _table(title: str, rows: dict[str, Any]) -> list[str]:
    if not rows:
        return []
    listed = [f"- {_plain(str(key))}: {_plain(str(value))}" for key, value in rows.items()]
    return ["", f"## {title}", "", *listed]


def _plain(text: str) -> str:
    """One line of text that cannot break the table, or the page, that it stands in."""
    line = " ".join(text.split())
    return line.replace("<", "&lt;").replace("|", "\\|")
