"""Any Hugging Face encoder for text pairs: as it is, or with its upper layers trained along.

Mentions of head and tail are set in brackets, so that an encoder that knows nothing of marks sees
them; the fact is the second segment. Weights are read from safetensors only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from osler.errors import FormatError, MissingExtra, MissingModel
from osler.fetch import THINGS, fetched
from osler.grade.networks.views import View
from osler.learn import needs
from osler.text.model_folder import weights_file, weights_hash
from osler.text.tokens import Token
from osler.text.wordpieces import load_tokenizer

HEAD_MARKS, TAIL_MARKS = ("[", "]"), ("<", ">")
KEPT = 20_000
"""Vectors that are kept in memory, by text."""


class HubEncoder:
    """``pooling``: the first token's state (``cls``), or the mean of all (``mean``). ``tune`` says
    how many of the upper layers may learn; the others stay as they are."""

    def __init__(
        self,
        place: str | Path,
        *,
        pooling: Literal["cls", "mean"] = "mean",
        marks: bool = True,
        tune: int = 0,
    ) -> None:
        self.torch = needs.torch("this encoder")
        try:
            from transformers import AutoModel
            from transformers.utils import logging
        except ImportError:
            raise MissingExtra("this encoder (transformers)", "neural") from None
        self.place = str(place)
        folder = _folder(place)
        weights_file(folder)
        self.pooling = pooling
        self.marks = marks
        # The library never prints: a progress bar of another's would.
        logging.disable_progress_bar()
        try:
            self.model = AutoModel.from_pretrained(
                str(folder), use_safetensors=True, trust_remote_code=False, local_files_only=True
            )
        except (OSError, ValueError, KeyError) as problem:
            raise FormatError(
                f"{folder.name} cannot be loaded as an encoder ({type(problem).__name__})",
                cure="give a folder with config.json and model.safetensors",
            ) from None
        self.model.float().eval()
        self.dimension = int(self.model.config.hidden_size)
        self.positions = int(getattr(self.model.config, "max_position_embeddings", 512) or 512)
        self.tune = tune
        self._learning()
        self.hash = weights_hash(folder)
        self._tokenizer = load_tokenizer(folder, max_tokens=512)
        self._kept: dict[tuple[str, str, int], Any] = {}

    def _learning(self) -> None:
        """Let the last ``tune`` layers learn, nothing else."""
        last = int(getattr(self.model.config, "num_hidden_layers", 0))
        upper = tuple(f"layer.{number}." for number in range(max(0, last - self.tune), last))
        for name, parameter in self.model.named_parameters():
            parameter.requires_grad = any(f".{part}" in f".{name}" for part in upper)

    @property
    def module(self) -> Any:
        """What a training updates."""
        return self.model

    def pooled(self, views: Sequence[View], length: int) -> Any:
        """The pairs' vectors, with gradients; what was kept is forgotten."""
        self._kept = {}
        states, mask = self._states([(self._marked(v), v.fact.text) for v in views], length)
        return self._pool(states, mask)

    def _pool(self, states: Any, mask: Any) -> Any:
        if self.pooling == "cls":
            return states[:, 0]
        shares = mask.unsqueeze(2).float()
        return (states * shares).sum(1) / shares.sum(1)

    def vectors(
        self, views: Sequence[View], length: int, *, batch: int = 16
    ) -> np.ndarray[Any, Any]:
        """The pairs' vectors; those of texts seen before are not made again."""
        keys = [(self._marked(view), view.fact.text, length) for view in views]
        fresh = sorted({key for key in keys if key not in self._kept}, key=lambda k: len(k[0]))
        if len(self._kept) + len(fresh) > KEPT:
            self._kept = {key: self._kept[key] for key in set(keys) if key in self._kept}
            fresh = sorted({key for key in keys if key not in self._kept}, key=lambda k: len(k[0]))
        for start in range(0, len(fresh), batch):
            part = fresh[start : start + batch]
            states, mask = self._run([(text, fact) for text, fact, _ in part], length)
            self._kept.update(zip(part, self._pool(states, mask).numpy(), strict=True))
        if not keys:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return np.stack([self._kept[key] for key in keys])

    def token_states(self, view: View, length: int) -> tuple[list[Token], np.ndarray[Any, Any]]:
        """The text's pieces and their states."""
        self._tokenizer.enable_truncation(min(length, self.positions), strategy="longest_first")
        encoded = self._tokenizer.encode(view.text or " ", view.fact.text)
        states, _ = self._run([(view.text or " ", view.fact.text)], length)
        rows, token_rows = [], []
        for row, ((start, end), side) in enumerate(
            zip(encoded.offsets, encoded.sequence_ids, strict=True)
        ):
            if side == 0 and end > start:
                rows.append(row)
                token_rows.append(Token(view.text[start:end], start, end))
        return token_rows, states[0].numpy()[rows]

    def _run(self, pairs: Sequence[tuple[str, str]], length: int) -> tuple[Any, Any]:
        self.model.eval()
        with self.torch.inference_mode():
            return self._states(pairs, length)

    def _states(self, pairs: Sequence[tuple[str, str]], length: int) -> tuple[Any, Any]:
        torch = self.torch
        self._tokenizer.enable_truncation(min(length, self.positions), strategy="longest_first")
        encoded = [
            self._tokenizer.encode(text or " ", fact)
            if fact.strip(",")
            else self._tokenizer.encode(text or " ")
            for text, fact in pairs
        ]
        longest = max(len(one.ids) for one in encoded)
        ids = torch.zeros(len(encoded), longest, dtype=torch.long)
        mask, sides = torch.zeros_like(ids), torch.zeros_like(ids)
        for row, one in enumerate(encoded):
            size = len(one.ids)
            ids[row, :size] = torch.tensor(one.ids)
            mask[row, :size] = 1
            sides[row, :size] = torch.tensor(one.type_ids)
        given = {"input_ids": ids, "attention_mask": mask}
        if getattr(self.model.config, "type_vocab_size", 0) > 1:
            given["token_type_ids"] = sides
        return self.model(**given).last_hidden_state.float(), mask

    def _marked(self, view: View) -> str:
        if not self.marks or not (view.heads or view.tails):
            return view.text
        cuts = [(s, e, HEAD_MARKS) for s, e in view.heads]
        cuts += [(s, e, TAIL_MARKS) for s, e in view.tails]
        parts, at = [], 0
        for start, end, (left, right) in sorted(cuts):
            if start < at:
                continue
            parts += [view.text[at:start], left, view.text[start:end], right]
            at = end
        return "".join([*parts, view.text[at:]])

    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Where the encoder is, and what was learned of it."""
        learned = {
            name: value.detach().numpy()
            for name, value in self.model.named_parameters()
            if value.requires_grad
        }
        config = {
            "kind": "hub",
            "place": self.place,
            "hash": self.hash,
            "pooling": self.pooling,
            "marks": self.marks,
            "tune": self.tune,
        }
        return learned, config

    @classmethod
    def restore(cls, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> HubEncoder:
        encoder = cls(
            config["place"],
            pooling=config["pooling"],
            marks=config["marks"],
            tune=int(config.get("tune", 0)),
        )
        if encoder.hash != config["hash"]:
            raise MissingModel(
                f"the encoder {config['place']} is not the one that the model was trained with",
                cure="train the model again",
            )
        parameters = dict(encoder.model.named_parameters())
        with encoder.torch.no_grad():
            for name, value in tensors.items():
                parameters[name].copy_(encoder.torch.from_numpy(np.array(value)))
        return encoder


def _folder(place: str | Path) -> Path:
    name = str(place)
    if name in THINGS:
        here = fetched(name)
        if here is None:
            raise MissingModel(f"the encoder {name} is not here", cure=f"osler fetch {name}")
        return here
    folder = Path(place).expanduser()
    if not folder.is_dir():
        raise MissingModel(f"there is no encoder folder {folder}", cure="give a folder, or minilm")
    return folder
