"""Osler's own matcher: words, pieces, learned alignment, entities and encoder, weighed together.

Trained, its weights come from lists of one true and some false answers whose features were made by
models that had not seen them (cross-fitting): the alignment would otherwise look far better than
it is on new questions. Untrained, fixed weights hold for what needs no training.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from osler.errors import InputError
from osler.kinds import Pair, Reason, ScoreParts
from osler.match.alignment import Matrix, singular
from osler.match.answer_features import ALIGNMENT, ENCODER, LEXICAL, Features
from osler.match.combine import Linear, learn
from osler.match.graph_vectors import check_graph, fingerprint
from osler.match.matcher import Candidate, Floats, Matcher, Progress, Sources, State, matchers
from osler.match.splits import false_answers, folds
from osler.match.weights import entity_reasons
from osler.stopping import check_stopped

if TYPE_CHECKING:
    from osler.text.encoder import Encoder

FOLDS = 3
NEGATIVES = 10
FEWEST = 30
ENCODED = 64
"""Answers of one question that the encoder reads."""
RELATIONS = "relations"
FIXED = {
    "bigrams cosine": 4.0,
    "words cosine": 2.5,
    "characters cosine": 2.0,
    "first bigrams": 2.0,
    "bigrams": 2.0,
    "words": 1.5,
    "entities": 0.6,
    "entities cosine": 0.5,
    "near covered": 0.2,
    "encoder": 6.0,
}
"""Weights of what needs no training, per unit of the feature."""
POSITIVE = frozenset({*FIXED, *LEXICAL, *ALIGNMENT, "like questions"} - {"length"})


@dataclass(frozen=True)
class CrossFitted:
    """Lists behind one another, each of ``sizes`` rows, the true answer first; a column a name."""

    names: tuple[str, ...]
    rows: Floats
    sizes: list[int]

    @property
    def positive(self) -> list[int]:
        """The columns that can only speak for an answer."""
        return [at for at, name in enumerate(self.names) if name in POSITIVE]


@matchers.register("default")
class Default(Matcher):
    """Option ``tune`` lets the alignment learn further with torch where it is installed."""

    name = "default"
    help = "words, bigrams, learned alignment, entities and encoder together"

    def __init__(self, sources: Sources | None = None, *, seed: int = 0, tune: bool = True) -> None:
        super().__init__(sources, seed=seed)
        self.tune = tune
        self.features: Features | None = None
        self.linear: Linear | None = None

    def fit(self, pairs: Sequence[Pair], *, progress: Progress | None = None) -> Self:
        if len(pairs) < FEWEST:
            raise InputError(
                f"{len(pairs)} pairs are too few to learn from",
                cure=f"give {FEWEST} or more; without any the matcher works untrained",
            )
        base, basis = self._base(pairs)
        lists = self._lists(pairs, base, basis, NEGATIVES, progress)
        if progress:
            progress("default: weights, and the features of all pairs")
        self.linear = learn(lists.rows, lists.sizes, floor=lists.positive)
        self.measures = _training_measures(self.linear.scores(lists.rows), lists.sizes)
        self.features = base.learned(
            pairs, basis=basis, tune=self.tune, seed=self.seed, progress=progress
        )
        return self

    def cross_fitted(
        self, pairs: Sequence[Pair], *, negatives: int = NEGATIVES, progress: Progress | None = None
    ) -> CrossFitted:
        """What the weights are learned from: lists of pairs, described by models that learned from
        the other folds."""
        return self._lists(pairs, *self._base(pairs), negatives, progress)

    def _base(self, pairs: Sequence[Pair]) -> tuple[Features, Matrix]:
        """Statistics and basis: they know nothing of which answer belongs to which question, so
        that all folds can share them."""
        encoder = self._encoder(pair.question for pair in pairs[:50])
        texts = list(dict.fromkeys(t for pair in pairs for t in (pair.question, pair.answer)))
        least = 2 if len(texts) > 1_000 else 1
        base = Features.over(self.sources, texts, least=least, encoder=encoder)
        return base, singular(base.aligned, texts, seed=self.seed)

    def _lists(
        self,
        pairs: Sequence[Pair],
        base: Features,
        basis: Matrix,
        negatives: int,
        progress: Progress | None,
    ) -> CrossFitted:
        blocks: list[Floats] = []
        sizes: list[int] = []
        names: tuple[str, ...] = ()
        for number, part in enumerate(folds(pairs, FOLDS, seed=self.seed), 1):
            if progress:
                progress(f"default: fold {number} of {FOLDS}")
            held = set(part)
            rest = [pair for row, pair in enumerate(pairs) if row not in held]
            features = base.learned(rest, basis=basis, tune=self.tune, seed=self.seed)
            names = features.names
            own = [pairs[row] for row in part]
            for row, false in false_answers(own, negatives, seed=self.seed, fewer=True):
                answers = [own[at].answer for at in (row, *false)]
                blocks.append(features.matrix(own[row].question, answers))
                sizes.append(len(answers))
        if not sizes:
            raise InputError("no question has a false answer to learn from")
        return CrossFitted(names, np.concatenate(blocks), sizes)

    def _encoder(self, questions: Iterable[str]) -> Encoder | None:
        """The first encoder that reads one of the questions at least."""
        asked = list(questions)
        for encoder in self.sources.encoders():
            if any(encoder.reads(question) for question in asked):
                return encoder
        return None

    # Scoring ----------------------------------------------------------------------------------

    def _ready(self, texts: Sequence[str]) -> tuple[Features, Linear]:
        if self.features is not None and self.linear is not None:
            return self.features, self.linear
        features = Features.over(
            self.sources, list(dict.fromkeys(texts)), encoder=self._encoder(texts[:1])
        )
        names = features.names
        weights = np.array([FIXED.get(name, 0.0) for name in names])
        return features, Linear(np.zeros(len(names)), np.ones(len(names)), weights)

    def scores(self, question: str, candidates: Sequence[Candidate]) -> Floats:
        if not candidates:
            return np.zeros(0)
        answers = [candidate.text for candidate in candidates]
        features, linear = self._ready([question, *answers])
        if ENCODER not in features.names or len(answers) <= ENCODED:
            return linear.scores(features.matrix(question, answers))
        # Encoding is dear: the best by all else are encoded, the rest count as the least like.
        rows = features.matrix(question, answers, encode=False)
        column = features.names.index(ENCODER)
        top = np.argsort(-linear.scores(rows), kind="stable")[:ENCODED]
        likes = features.encoded(question, [answers[at] for at in top.tolist()])
        rows[:, column] = likes.min()
        rows[top, column] = likes
        return linear.scores(rows)

    def explain(self, question: str, candidate: Candidate) -> tuple[Reason, ...]:
        """The parts of the score, then entity pairs and paths by what they share with it."""
        features, linear = self._ready([question, candidate.text])
        raw = features.matrix(question, [candidate.text])
        parts = linear.parts(raw)[0]
        values: dict[str, float] = {}
        given: dict[str, float] = {}
        for name, value, part in zip(features.names, raw[0], parts, strict=True):
            shown = RELATIONS if name in features.labels else name
            values[shown] = values.get(shown, 0.0) + float(value)
            given[shown] = given.get(shown, 0.0) + float(part)
        known = self.sources.known
        reasons: tuple[Reason, ...] = (ScoreParts(values, given),)
        if known is None or features.entities is None:
            return reasons
        return (*reasons, *entity_reasons(known, features.entities, question, candidate.text))

    # On disk ----------------------------------------------------------------------------------

    def state(self) -> State:
        if self.features is None or self.linear is None:
            return {}, {}
        tensors, config = self.features.state()
        tensors |= {
            "linear.mean": self.linear.mean,
            "linear.spread": self.linear.spread,
            "linear.weights": self.linear.weights,
        }
        config["features"] = list(self.features.names)
        config["graph"] = fingerprint(self.sources.known)
        encoder = self.features.encoder
        config["encoder"] = encoder.fingerprint if encoder is not None else ""
        return tensors, config

    def restore(self, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        if "features" not in config:
            return self
        check_graph(self.name, self.sources.known, config["graph"])
        # Weights that were learned without an encoder ask none now.
        named = config["encoder"]
        known = self.sources.encoders() if named else iter(())
        encoder = next((one for one in known if one.fingerprint == named), None)
        if encoder is None and named:
            raise InputError(
                "the model was trained with an encoder that is not at hand now",
                cure="fetch it (osler fetch minilm), or train again: osler train match LIB",
            )
        self.features = Features.restore(self.sources, tensors, config, encoder=encoder)
        self.linear = Linear(
            *(np.asarray(tensors[f"linear.{part}"]) for part in ("mean", "spread", "weights"))
        )
        if list(self.features.names) != list(config["features"]):
            raise InputError(
                "the model was trained with features that are not at hand now",
                cure="train it again: osler train match LIB",
            )
        return self


def _training_measures(scores: Floats, sizes: Sequence[int]) -> dict[str, float]:
    """Precision over the cross-fitted lists: what to expect of new questions."""
    right, start = 0, 0
    for size in sizes:
        check_stopped()
        own = scores[start : start + size]
        right += bool((own[1:] < own[0]).all())
        start += size
    return {f"cross-fitted precision, {NEGATIVES} false answers": right / max(len(sizes), 1)}
