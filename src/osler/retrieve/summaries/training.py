"""Training BERTSUM on papers that have both a valid abstract and a full text.

Seed 002, section 3.2.1: the abstract tells which body sentences matter. Labels are the oracle's
(``oracle.py``), the loss is binary cross-entropy over the sentences of a paper.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from osler.errors import InputError
from osler.kinds import Document
from osler.learn.card import Card, Measured, data_hash, versions
from osler.measures.intervals import bootstrap_interval
from osler.retrieve.summaries.bertsum import BertSum
from osler.retrieve.summaries.denoise import frequent_abbreviations
from osler.retrieve.summaries.oracle import TOP, Pool, oracle_labels, oracle_scores
from osler.retrieve.summaries.rouge import Rouge, rouge_l_summary, rouge_tokens
from osler.retrieve.summaries.sentences import Candidate, body, own, valid_abstract
from osler.retrieve.summaries.summarise import TRAINED, UNTRAINED, choose
from osler.retrieve.summaries.summariser import Summariser
from osler.retrieve.summaries.windows import Window


class Paper(NamedTuple):
    """A paper to learn from: its body, its abstract, which body sentences the oracle takes, and
    each one's ROUGE-L as a share of the best one's."""

    document: Document
    body: list[Candidate]
    abstract: list[Candidate]
    labels: np.typing.NDArray[np.int64]
    shares: np.typing.NDArray[np.float64]


def papers(documents: Sequence[Document], *, top: int = TOP, pool: Pool = "whole") -> list[Paper]:
    """The documents that can be learned from, with the oracle's labels.

    Abbreviations that half of the papers use are cleaned away beside the listed ones (3.2.1).
    """
    fit = [one for one in documents if one.full_text and valid_abstract(one)]
    texts = (" ".join(section.text for section in one.full_text) for one in fit)
    frequent = frequent_abbreviations(texts)
    papers_read = []
    for document in fit:
        sentences = body(document, frequent=frequent)
        abstract = own(document, frequent=frequent)
        labels = oracle_labels(
            [one.clean for one in sentences], [one.clean for one in abstract], top=top, pool=pool
        )
        # A body no longer than its summary has nothing to tell apart.
        if len(sentences) > top and labels.any():
            papers_read.append(
                Paper(document, sentences, abstract, labels, _shares(sentences, abstract))
            )
    return papers_read


def _shares(
    sentences: Sequence[Candidate], abstract: Sequence[Candidate]
) -> np.typing.NDArray[np.float64]:
    scores = oracle_scores([one.clean for one in sentences], [one.clean for one in abstract])
    return scores / scores.max() if scores.any() else scores


def rouge(paper: Paper, places: Sequence[int]) -> Rouge:
    """ROUGE-L of those body sentences against the abstract, both as they stand in the paper."""
    return rouge_l_summary(
        [rouge_tokens(paper.body[place].text) for place in places],
        [rouge_tokens(one.text) for one in paper.abstract],
    )


def summary_rouge(summariser: Summariser, paper: Paper, *, sentences: int = TOP) -> float:
    """ROUGE-L F1 of the summariser's summary of a paper."""
    scores = summariser.scores(paper.document, paper.body)
    return rouge(paper, choose(paper.body, scores, sentences, redundancy=summariser.redundancy)).f1


def train(
    documents: Sequence[Document],
    *,
    encoder: str | Path = "minilm",
    tune_encoder: bool = True,
    epochs: int = 20,
    patience: int = 5,
    rate: float = 2e-5,
    layer_rate: float = 2e-4,
    held_out: float = 0.2,
    pool: Pool = "whole",
    graded: bool = False,
    pooling: str = "cls",
    seed: int = 0,
    progress: Callable[[str], None] | None = None,
) -> tuple[BertSum, Card]:
    """A model trained on the documents, and its card.

    ``tune_encoder`` trains the encoder too, at ``rate``; without it the encoder stays as it is and
    its vectors are made once, which is many times as fast. A share ``held_out`` of the papers (one
    at least, where there are three or more) chooses the epoch and is what the card measures.
    ``graded`` is ours, not the paper's: each sentence's target is its ROUGE-L as a share of the
    best one's instead of 0 or 1, so that a paper teaches by all its sentences and not by three.
    """
    import torch

    from osler.learn.batches import shuffled
    from osler.learn.loop import fit
    from osler.learn.seeds import seed_everything

    known = papers(documents, pool=pool)
    if len(known) < 2:
        raise InputError(
            f"{len(known)} of {len(documents)} documents have both a full text and an abstract of "
            "more than three sentences",
            cure="add full-text papers (JATS) to learn from",
        )
    model = BertSum.fresh(encoder, pooling=pooling, seed=seed)
    order = seed_everything(seed).permutation(len(known))
    count = max(1, round(held_out * len(known))) if len(known) > 2 and held_out > 0 else 0
    watched = [known[i] for i in sorted(order[:count])]
    learned = [known[i] for i in sorted(order[count:])]
    network = model.network
    for parameter in network.encoder.parameters():
        parameter.requires_grad = tune_encoder

    read: dict[str, Any] = {}
    for paper in known:
        packed = model.windows([one.clean for one in paper.body])
        read[paper.document.id] = packed if tune_encoder else _fixed(network, packed)

    def logits(paper: Paper) -> Any:
        held = read[paper.document.id]
        return network(network.sentence_vectors(held) if tune_encoder else held)

    def loss(batch: list[Paper]) -> Any:
        parts = [
            torch.nn.functional.binary_cross_entropy_with_logits(
                logits(paper),
                torch.tensor(paper.shares if graded else paper.labels, dtype=torch.float32),
            )
            for paper in batch
        ]
        return torch.stack(parts).mean()

    def found(paper: Paper) -> float:
        scores = np.asarray(torch.sigmoid(logits(paper)).detach().numpy(), dtype=np.float64)
        return rouge(paper, choose(paper.body, scores, TOP, redundancy=model.redundancy)).f1

    between = [p for name, p in network.named_parameters() if not name.startswith("encoder.")]
    groups = [{"params": between, "lr": layer_rate}]
    if tune_encoder:
        groups.append({"params": list(network.encoder.parameters()), "lr": rate})
    fit(
        network,
        loss,
        shuffled(learned, 1),
        optimiser=torch.optim.AdamW(groups),
        epochs=epochs,
        evaluate=(lambda: float(np.mean([found(one) for one in watched]))) if watched else None,
        patience=patience if watched else None,
        clip=1.0,
        seed=seed,
        progress=progress,
    )
    for parameter in network.parameters():
        parameter.requires_grad = True
    settings = {
        "encoder": Path(encoder).name,
        "tune_encoder": tune_encoder,
        "epochs": epochs,
        "rate": rate,
        "layer_rate": layer_rate,
        "oracle": pool,
        "graded": graded,
        "pooling": pooling,
        "papers": len(learned),
    }
    return model, _card(model, known, watched, settings, seed)


def _fixed(network: Any, packed: Sequence[Window]) -> Any:
    import torch

    network.eval()
    with torch.no_grad():
        return network.sentence_vectors(packed)


def _card(
    model: BertSum,
    known: Sequence[Paper],
    watched: Sequence[Paper],
    settings: dict[str, Any],
    seed: int,
) -> Card:
    from osler.retrieve.summaries.unsupervised import Lead, LexRank

    measures = []
    held_against = ((TRAINED, model), (UNTRAINED, LexRank()), ("ROUGE-L F1, lead", Lead()))
    for name, summariser in held_against:
        values = [summary_rouge(summariser, paper) for paper in watched]
        if values:
            interval = bootstrap_interval(values)
            on = f"{len(values)} held-out papers, which also chose the epoch"
            measures.append(Measured(name, interval.value, interval.low, interval.high, on))
    return Card(
        name="Extractive summariser",
        what="Tells which sentences of a paper's full text belong in a summary of three.",
        method="BERTSUM (Liu, 2019) over windows, oracle labels by ROUGE-L (seed 002, 3.2.1)",
        data=f"{len(known)} full-text papers with a valid abstract",
        data_hash=data_hash([paper.document.id for paper in known]),
        seed=seed,
        measures=tuple(measures),
        settings=settings,
        versions=versions(),
        intended_use=(
            "Representing papers without a usable abstract in search. Not a substitute for reading "
            "the paper."
        ),
        known_failures=(
            "A sentence is quoted out of its context: a finding may lose its conditions.",
            "ROUGE-L favours long sentences, and so does the model that learns from it.",
            "A language that the encoder does not read gets arbitrary sentences.",
        ),
    )
