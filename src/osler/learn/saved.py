"""Models on disk: a folder of ``model.safetensors``, ``config.json`` and ``card.md``.

Saving is atomic: the new folder is written beside the old one and takes its place by renaming, so
a kill leaves the old model or the new one. Loading reads tensors and JSON only, checks the weights
against the SHA-256 in the configuration, and never runs anything that the folder holds.
"""

from __future__ import annotations

import contextlib
import fcntl
import glob
import hashlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np

from osler.errors import DamageError, MissingModel, StorageError, VersionError
from osler.files.removal import remove_folder
from osler.learn import needs
from osler.learn.card import Card

FORMAT = 1
WEIGHTS = "model.safetensors"
CONFIG = "config.json"
CARD = "card.md"


class _Config(msgspec.Struct, kw_only=True):
    format: int
    sha256: str
    config: dict[str, Any]
    card: Card
    check: str = ""
    """SHA-256 of configuration and card; empty in models that were saved before there was one."""

    def sum(self) -> str:
        """The configuration decides what a model answers: it is checked as the weights are."""
        data = msgspec.json.encode(
            [self.format, self.sha256, self.config, self.card], order="sorted"
        )
        return hashlib.sha256(data).hexdigest()


def save_model(
    folder: str | Path, tensors: Mapping[str, Any], config: Mapping[str, Any], card: Card
) -> Path:
    """Write a model. ``tensors`` are NumPy arrays or torch tensors, ``config`` is plain data."""
    from safetensors.numpy import save

    target = Path(folder)
    weights = save({name: _array(value) for name, value in tensors.items()})
    described = _Config(
        format=FORMAT,
        sha256=hashlib.sha256(weights).hexdigest(),
        config=dict(config),
        card=card,
    )
    # Once to JSON and back: the sum is taken of what a reader will see.
    described = msgspec.json.decode(msgspec.json.encode(described), type=_Config)
    described.check = described.sum()
    text = msgspec.json.format(msgspec.json.encode(described), indent=2)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _sweep(target)
        fresh = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
        held = os.open(fresh, os.O_RDONLY)
        try:
            _alone(held)
            _write(fresh / WEIGHTS, weights)
            _write(fresh / CONFIG, text)
            _write(fresh / CARD, card.markdown().encode())
            _sync(fresh)
            # mkdtemp's folder is its owner's alone; a model is as open as the umask allows.
            umask = os.umask(0)
            os.umask(umask)
            fresh.chmod(0o777 & ~umask)
            _replace(fresh, target)
        except BaseException:
            remove_folder(fresh)
            raise
        finally:
            os.close(held)
    except OSError as error:
        raise StorageError(
            f"the model {target.name} cannot be written: {error.strerror or 'the disk refuses'}",
            cure="free some space, or choose another folder",
        ) from error
    return target


def load_model(
    folder: str | Path, *, framework: Literal["torch", "numpy"] = "torch"
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The tensors and the configuration of a saved model.

    Tensors are torch's (ready for ``load_state_dict``), or NumPy's where the model needs no torch.
    """
    from safetensors import SafetensorError
    from safetensors.numpy import load

    target = standing(Path(folder))
    described = _described(target)
    try:
        weights = (target / WEIGHTS).read_bytes()
    except OSError:
        raise DamageError(
            f"the model {target.name} has no {WEIGHTS}", cure="train it again"
        ) from None
    if hashlib.sha256(weights).hexdigest() != described.sha256:
        raise DamageError(
            f"the weights of {target.name} do not match their SHA-256", cure="train it again"
        )
    try:
        arrays = load(weights)
    except (SafetensorError, ValueError, KeyError):
        raise DamageError(
            f"the weights of {target.name} cannot be read", cure="train it again"
        ) from None
    if framework == "numpy":
        return arrays, described.config
    torch = needs.torch("this model")
    return {
        name: torch.from_numpy(array.copy()) for name, array in arrays.items()
    }, described.config


def load_card(folder: str | Path) -> Card:
    """The card of a saved model."""
    return _described(standing(Path(folder))).card


def _described(target: Path) -> _Config:
    try:
        raw = (target / CONFIG).read_bytes()
    except OSError:
        raise MissingModel(
            f"there is no model at {target}",
            cure="train one with 'osler train', or check the folder",
        ) from None
    try:
        head = msgspec.json.decode(raw, type=dict[str, Any])
        if isinstance(head.get("format"), int) and head["format"] > FORMAT:
            raise VersionError(
                f"the model {target.name} is of format {head['format']}", cure="update osler"
            )
        described = msgspec.convert(head, _Config)
        if described.check and described.check != described.sum():
            raise DamageError(
                f"the configuration of {target.name} does not match its SHA-256",
                cure="train it again",
            )
        return described
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise DamageError(
            f"the configuration of {target.name} cannot be read", cure="train it again"
        ) from None


def _array(value: Any) -> np.ndarray[Any, Any]:
    if hasattr(value, "detach"):
        value = value.detach().cpu().numpy()
    # Safetensors writes memory as it lies, so a transposed view must be laid out anew.
    return np.ascontiguousarray(value)


def _write(path: Path, data: bytes) -> None:
    with path.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def _kept(target: Path) -> Path:
    return target.with_name(f".{target.name}.old")


def _replace(fresh: Path, target: Path) -> None:
    """Rename ``fresh`` to ``target``. Between the two renames ``.NAME.old`` holds the old model."""
    kept = _kept(target)
    if target.exists():
        remove_folder(kept)
        target.rename(kept)
    fresh.rename(target)
    # The names, too, must have reached the disk before the old model goes.
    _sync(target.parent)
    remove_folder(kept)


def _alone(handle: int) -> bool:
    """Locks an open folder for as long as its holder lives; False where another lives, or where
    the disk knows no locks."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _sweep(target: Path) -> None:
    """Takes away what writers of this model left beside it when they were killed."""
    for left in target.parent.glob(f".{glob.escape(target.name)}.????????"):
        with contextlib.suppress(OSError):
            handle = os.open(left, os.O_RDONLY)
            try:
                if _alone(handle):
                    remove_folder(left)
            finally:
                os.close(handle)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def standing(target: Path) -> Path:
    """The folder to read: the old model where a kill fell between the two renames."""
    kept = _kept(target)
    return kept if not target.exists() and kept.exists() else target
