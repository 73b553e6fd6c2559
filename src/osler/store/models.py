"""The trained models of a library: where they live, how they are saved, loaded, stamped, named.

One policy for all verbs. A model that was trained into a library stands in ``LIB/models/NAME`` and
is used from then on by every door; the answer names it, ``status`` lists it, ``--without-model``
sets it aside. A training may find that its model loses against what needs none: its card then says
``taken: false``, and the model is listed but not used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from osler.errors import MissingModel, OslerError
from osler.learn.card import Card
from osler.learn.saved import CONFIG, WEIGHTS, load_card, load_model, save_model, standing

BY_FILE = "weights.json"
"""All that trainings of ``search`` wrote before models had one form."""
MARKS = (CONFIG, WEIGHTS, BY_FILE)
"""A folder with one of these is a model."""

Stamp = tuple[tuple[str, int, int], ...]
"""Files of a model with size and time: changes when it is trained again, or removed."""


class TrainedModel(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A model as ``status`` lists it: its card, or why it cannot be read; whether it is used."""

    name: str
    card: Card | None = None
    error: str = ""
    used: bool = True


class Models:
    """The models below one library's folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def place(self, name: str) -> Path:
        """The folder of a model, whether it is there or not."""
        return self.folder / name

    @property
    def empty(self) -> bool:
        """Whether nothing was ever trained here: most libraries say so, and at once."""
        return next(self.folder.glob("*"), None) is None

    def has(self, name: str) -> bool:
        if self.empty:
            return False
        return any((standing(self.place(name)) / file).is_file() for file in MARKS)

    def choose(self, *names: str, without: bool = False) -> str:
        """The first of some models that is there and was taken; empty where there is none, or
        where models are set aside."""
        if without or self.empty:
            return ""
        return next((name for name in names if self.has(name) and self.taken(name)), "")

    def taken(self, name: str) -> bool:
        """Whether a model's own training found it worth using. One that cannot be read counts:
        whoever loads it says what is wrong."""
        try:
            return load_card(self.place(name)).taken
        except OslerError:
            return True

    def stamp(self, *names: str) -> Stamp:
        """Changes when one of these models is trained again or removed."""
        files: list[tuple[str, int, int]] = []
        if self.empty:
            return ()
        for name in names:
            folder = standing(self.place(name))
            for file in sorted(folder.glob("**/*")):
                try:
                    state = file.stat()
                except OSError:
                    continue
                files.append((f"{name}/{file.name}", state.st_size, state.st_mtime_ns))
        return tuple(files)

    def names(self) -> list[str]:
        """All models; a folder in a folder counts too (``rank/papers``)."""
        folders = {path.parent for path in self.folder.glob("**/*") if path.name in MARKS}
        relative = (folder.relative_to(self.folder) for folder in folders)
        # What a killed writer left begins with a dot.
        return sorted(
            folder.as_posix()
            for folder in relative
            if not any(part.startswith(".") for part in folder.parts)
        )

    def listed(self) -> Iterator[TrainedModel]:
        """Every model with its card."""
        for name in self.names():
            if not any((self.place(name) / file).is_file() for file in (CONFIG, WEIGHTS)):
                yield TrainedModel(name=name)  # of a form from before there were cards in JSON
                continue
            try:
                card = load_card(self.place(name))
            except (OslerError, OSError) as error:
                reason = getattr(error, "message", type(error).__name__)
                yield TrainedModel(name=name, error=reason, used=False)
            else:
                yield TrainedModel(name=name, card=card, used=card.taken)


def name_for(verb: str, method: str, default: str) -> str:
    """The name of a method's model: the verb's own for its default method."""
    return verb if method == default else f"{verb}-{method}"


def save(
    folder: str | Path,
    *,
    kind: str,
    name: str,
    tensors: Mapping[str, Any],
    state: Mapping[str, Any],
    card: Card,
) -> Path:
    """Write a model of one kind (a verb's) and method (``name``) with what restores it."""
    return save_model(folder, tensors, {"kind": kind, "name": name, "state": dict(state)}, card)


def load(
    folder: str | Path, *, kind: str, does: str, verb: str
) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """The method's name, the tensors and the state of a model of one kind. ``does`` says what such
    a model does ("grade"), ``verb`` which training makes one."""
    tensors, config = load_model(folder, framework="numpy")
    if config.get("kind") != kind:
        raise MissingModel(
            f"the model {Path(folder).name} does not {does}",
            cure=f"train one: osler train {verb}",
        )
    return config["name"], tensors, config["state"]
