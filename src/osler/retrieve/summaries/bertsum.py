"""BERTSUM as a summariser: a trained model from its folder, and the making of one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from osler.errors import ChoiceError, FormatError, MissingExtra, MissingModel
from osler.kinds import Document
from osler.learn.card import Card
from osler.retrieve.summaries.sentences import Candidate
from osler.retrieve.summaries.summariser import Summariser, summarisers
from osler.retrieve.summaries.windows import Window, windows
from osler.text.wordpieces import load_tokenizer

KIND = "bertsum"
POOLINGS = ("cls", "mean")


@summarisers.register("bertsum")
class BertSum(Summariser):
    """A sentence model over a transformer encoder (seed 002, section 3.2.1).

    ``folder`` is a trained model's (``osler train summarise`` makes one). ``BertSum.fresh`` takes
    any Hugging Face encoder folder instead, with untrained sentence layers.
    """

    name = "bertsum"
    help = "a trained sentence model (BERTSUM); needs a model and osler[neural]"

    def __init__(self, *, folder: str | Path | None = None) -> None:
        if folder is None:
            raise MissingModel(
                "the summariser bertsum has no model", cure="make one with osler train summarise"
            )
        from osler.learn.saved import load_model

        tensors, config = load_model(folder)
        if config.get("kind") != KIND:
            raise FormatError(f"the model {Path(folder).name} is no summariser")
        transformers = _transformers()
        shape = transformers.AutoConfig.for_model(**config["encoder"])
        self._build(transformers.AutoModel.from_config(shape), config)
        self.network.load_state_dict(tensors)
        self.network.eval()

    @classmethod
    def fresh(
        cls,
        encoder: str | Path = "minilm",
        *,
        pooling: str = "cls",
        layers: int = 2,
        heads: int = 8,
        seed: int = 0,
    ) -> BertSum:
        """An untrained model on a pretrained encoder: a Hugging Face folder, or a fetched name."""
        from osler.learn.seeds import seed_everything

        transformers = _transformers()
        folder = encoder_folder(encoder)
        if pooling not in POOLINGS:
            raise ChoiceError("pooling", pooling, POOLINGS)
        tokenizer = load_tokenizer(folder, max_tokens=512)
        model = transformers.AutoModel.from_pretrained(
            folder, local_files_only=True, use_safetensors=True, trust_remote_code=False
        )
        shape = model.config.to_diff_dict()
        config = {
            "kind": KIND,
            "encoder": {**shape, "model_type": model.config.model_type},
            "tokenizer": tokenizer.to_str(),
            "first": _mark(tokenizer, "[CLS]", "<s>"),
            "last": _mark(tokenizer, "[SEP]", "</s>"),
            "width": min(512, model.config.max_position_embeddings),
            "pooling": pooling,
            "layers": layers,
            "heads": heads,
        }
        # RoBERTa and its like count positions from 2.
        if model.config.model_type in ("roberta", "xlm-roberta", "camembert"):
            config["width"] = min(512, model.config.max_position_embeddings - 2)
        summariser = cls.__new__(cls)
        seed_everything(seed)
        summariser._build(model, json.loads(json.dumps(config, default=str)))
        summariser.network.eval()
        return summariser

    def _build(self, encoder: Any, config: dict[str, Any]) -> None:
        from tokenizers import Tokenizer

        from osler.retrieve.summaries.network import BertSumNetwork

        self.config = config
        self.tokenizer = Tokenizer.from_str(config["tokenizer"])
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.network = BertSumNetwork(
            encoder,
            size=encoder.config.hidden_size,
            segments=getattr(encoder.config, "type_vocab_size", 0) >= 2,
            pooling=config["pooling"],
            layers=config["layers"],
            heads=config["heads"],
        )

    def windows(self, texts: Sequence[str]) -> list[Window]:
        """The sentences as the encoder reads them."""
        coded = self.tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return windows(
            [one.ids for one in coded],
            first=self.config["first"],
            last=self.config["last"],
            width=self.config["width"],
        )

    def scores(self, document: Document, candidates: Sequence[Candidate]) -> NDArray[np.float64]:
        """The chance of each sentence to belong to the summary."""
        if not candidates:
            return np.zeros(0)
        import torch

        self.network.eval()
        with torch.no_grad():
            vectors = self.network.sentence_vectors(self.windows([one.clean for one in candidates]))
            chances = torch.sigmoid(self.network(vectors))
        return np.asarray(chances.numpy(), dtype=np.float64)

    def save(self, folder: str | Path, card: Card) -> Path:
        """Write the model with its encoder, so that the folder needs nothing beside it."""
        from osler.learn.saved import save_model

        return save_model(folder, self.network.state_dict(), self.config, card)


def _mark(tokenizer: Any, *names: str) -> int:
    for name in names:
        number = tokenizer.token_to_id(name)
        if number is not None:
            return int(number)
    raise FormatError("the encoder's tokenizer marks no beginning or end", cure="take a BERT")


def encoder_folder(encoder: str | Path) -> Path:
    """A Hugging Face folder, given itself or by the name of a fetched one."""
    if Path(encoder).is_dir():
        return Path(encoder)
    from osler.fetch import THINGS, fetched
    from osler.text.hub import hub_folder

    name = str(encoder)
    if name not in THINGS:
        return hub_folder(name)
    folder = fetched(name)
    if folder is None:
        raise MissingModel(f"the encoder {name} is not here", cure=f"osler fetch {name}")
    return folder


def _transformers() -> Any:
    try:
        import transformers
    except ImportError:
        raise MissingExtra("the trained summariser", "neural") from None
    transformers.utils.logging.disable_progress_bar()
    return transformers
