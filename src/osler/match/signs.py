"""Signs that an answer answers: plain numbers about a question and a candidate among others.

Does the answer name what the question is about; does it say what was asked for (a treatment where
one is asked: :mod:`osler.match.asking` reads the question, learned words read the answer); does the
question that the answer was once given to ask the same; how near an encoder finds them. Each sign
also stands relative to the list that the answer is in, because an answer is judged among others.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz.distance import OSA

from osler.match.asking import asked_part, focus, has_cue
from osler.match.concepts import Concepts
from osler.match.kind_shares import Shares, agreement, likeliest
from osler.match.learned import RAREST, Learned, learned
from osler.match.matcher import Candidate
from osler.match.text_vectors import TextVectors
from osler.match.texts import Kept, Texts
from osler.text.scripts import CJK_CHARACTER
from osler.text.sentences import sentences

if TYPE_CHECKING:
    from osler.match.known import Known
    from osler.match.memory import VectorMemory
    from osler.text.encoder import Encoder

HEAD = 240
"""Characters of an answer that count as its beginning."""
ENCODE = 600
"""Characters of an answer that the encoder reads: what an answer is about stands at its begin."""
SENTENCES = 16
"""Sentences of an answer that are looked at one by one."""
RELATIVE = ("named", "named first", "says", "says first", "shared", "near", "length")
ALSO_RELATIVE = (
    "near asked",
    "asked alike",
    "asked the same kind",
    "asked more",
    "nearly named",
    "lacks",
)
BARE = (
    *RELATIVE,
    *(f"{name}, among others" for name in RELATIVE),
    "all named",
    "nearly named",
    "kin",
    "lacks",
)
STORED = (
    "asked alike",
    "asked the same kind",
    "asked more",
    "near asked",
    *(f"{name}, among others" for name in ALSO_RELATIVE),
)
ENCODED = ("near", "near asked")
LEAST_SAID, UNSAID = -4.0, -1.5
BEGIN, ENDING = 6, 2
"""Words are forms of one word if they begin alike (this many letters) and differ in their last
letters alone (this many at most): "epileptic" is one of "epilepsy", but "endometrial" none of
"endometriosis", nor "prednisone" of "prednisolone"."""
SPELLED = 7
"""Letters from which on a word with one slip is still that word: shorter ones may be others."""
TELLING = 0.4
"""A word that a question is about is told as lacking from this share of the heaviest on."""
Signs = dict[str, float]


def names_of(*, stored: bool, encoder: bool) -> tuple[str, ...]:
    """The signs that are weighed with and without stored questions and an encoder. How long an
    answer is, and the share of pieces that depends on it, differ from collection to collection:
    what one taught of them says nothing of another."""
    names = tuple(name for name in BARE if name.split(",")[0] not in ("shared", "length"))
    names += STORED if stored else ()
    if encoder:
        return names
    return tuple(name for name in names if name.split(",")[0] not in ENCODED)


def head_name(*, stored: bool, encoder: bool, chinese: bool = False) -> str:
    """Which of the learned weights belong to what is at hand. Beside stored questions Chinese has
    its own: a question shares fewer of its pairs of characters with what answers it than an English
    one shares of its words, and another encoder reads it. Bare Chinese answers are weighed by
    words."""
    if chinese:
        return f"stored{' encoded' if encoder else ''} zh" if stored else "bare"
    return f"{'stored' if stored else 'bare'}{' encoded' if encoder else ''}"


@dataclass(frozen=True)
class Read:
    """What a text says, cut once."""

    words: frozenset[str]
    first: frozenset[str]
    spans: tuple[tuple[int, int], ...]


class SignReader:
    """Reads the signs of candidates to a question; texts that it has met are kept."""

    def __init__(
        self,
        texts: Texts,
        *,
        known: Known | None = None,
        encoders: Iterable[Encoder] = (),
        memory: VectorMemory | None = None,
        table: Learned | None = None,
        concepts: Concepts | None = None,
    ) -> None:
        self.texts = texts
        self.concepts = concepts or Concepts.beside(known)
        self.table = table or learned()
        self.vectors = TextVectors(encoders, self.table.encoders, memory=memory)
        self._read = Kept(self._of)
        self._shares = Kept(self._shares_of)

    # Words ------------------------------------------------------------------------------------

    def _cut(self, text: str) -> tuple[str, ...]:
        """Words of English; pairs of characters of Chinese, which need no dictionary."""
        return self.texts.grams(text) if CJK_CHARACTER.search(text) else self.texts.words(text)

    def _of(self, text: str) -> Read:
        return Read(
            frozenset(self._cut(text)),
            frozenset(self._cut(text[:HEAD])),
            tuple(sentences(text))[:SENTENCES],
        )

    def rarity(self, word: str) -> float:
        rarity = self.table.rarity
        if CJK_CHARACTER.search(word):
            # A pair of characters is as rare as both: pairs that only stand beside each other, at
            # the seam of two words, are of frequent characters and say little.
            return float(min(RAREST, sum(rarity.get(one, RAREST) for one in word)))
        return float(rarity.get(word, RAREST))

    def _focus(self, question: str) -> dict[str, float]:
        """The words that a question is about, with how much each weighs."""
        asked = focus(question) or question
        return {word: self.rarity(word) for word in self._cut(asked)}

    def kind_weights(self, words: Iterable[str]) -> np.ndarray:
        """How much some words speak for each kind of answer, as log-probabilities."""
        table = self.table
        rows = [table.kinds[word] for word in words if word in table.kinds]
        total = np.array(table.kind_bias)
        if rows:
            total = total + np.sum(rows, 0) / math.sqrt(len(rows))
        return np.asarray(total - np.log(np.exp(total - total.max()).sum()) - total.max())

    def _says(self, asked: Shares, text: str, words: Iterable[str], about: Iterable[str]) -> float:
        """How far a text says what was asked for: the log-probability of each kind against the most
        likely one, by how likely it was asked for; 0 where no kind is read or learned. Of Chinese,
        whose words nobody taught, a cue of the kind tells."""
        if CJK_CHARACTER.search(text):
            kind = likeliest(asked)
            return 0.0 if not kind or has_cue(kind, text) else UNSAID
        taught = [(at, asked[name]) for at, name in enumerate(self.table.kind_names)
                  if name in asked]  # fmt: skip
        if not taught:
            return 0.0
        weights = self.kind_weights(set(words) - set(about))
        short = np.maximum(weights - weights.max(), LEAST_SAID)
        return float(sum(share * short[at] for at, share in taught))

    def shares(self, question: str) -> Shares:
        """How likely a question asks for each kind of answer."""
        return self._shares(question)

    def _shares_of(self, question: str) -> Shares:
        # What is asked was taught in English: of other questions cues tell it.
        encoder = self.vectors.reader(question)
        reads = encoder is not None and encoder.fingerprint == self.table.encoder
        vector = self.vectors.of(encoder, question) if encoder is not None and reads else None
        return self.table.asked.shares(question, vector)

    def kind(self, question: str) -> str:
        """What a question asks for, where that is likelier than not."""
        return likeliest(self.shares(question))

    # Vectors ----------------------------------------------------------------------------------

    def sentence_likeness(self, question: str, text: str) -> list[float]:
        """How well each of an answer's first sentences answers by itself: what it names of what the
        question is about, and whether it says what was asked for."""
        question = asked_part(question)
        asked, about = self.shares(question), self._focus(question)
        likes = []
        for start, end in self._read(text).spans:
            part = text[start:end]
            words = frozenset(self._cut(part))
            says = math.exp(self._says(asked, part, words, about)) if asked else 0.0
            # The whole answer names what it is about; a sentence may say "it".
            likes.append(0.5 * _share(about, words) + says)
        return likes

    def spans(self, text: str) -> tuple[tuple[int, int], ...]:
        """Where an answer's first sentences stand."""
        return self._read(text).spans

    def lacking(self, question: str, candidate: Candidate) -> list[str]:
        """The words that a question is about and a candidate does not name, as they were typed."""
        text = f"{candidate.question}\n{candidate.text}"
        question = self.concepts.in_words_of(text, asked_part(question))
        words = self._read(text).words
        about = self._focus(question)
        heavy = TELLING * max(about.values(), default=0.0)
        return [
            word
            for word in focus(question).split()
            if any(
                about.get(piece, 0.0) >= heavy
                and piece not in words
                and not _another_form(piece, words)
                for piece in self._cut(word)
            )
        ]

    def reads(self, question: str) -> bool:
        """Whether an encoder that was weighed reads the question."""
        return self.vectors.reader(question) is not None

    def nearest(self, question: str, candidates: Sequence[Candidate]) -> list[int]:
        """The places of candidates, those first whose stored question is nearest to this one; as
        they came where the encoder does not read it."""
        question = asked_part(question)
        encoder, vectors = self.vectors.reader(question), self.vectors
        if encoder is None or not all(one.question for one in candidates):
            return list(range(len(candidates)))
        worded = [self.concepts.in_words_of(one.question, question) for one in candidates]
        vectors.read(encoder, (one.question for one in candidates), keep=True)
        vectors.read(encoder, worded)
        likes = [
            float(vectors.of(encoder, asked) @ vectors.of(encoder, one.question))
            for asked, one in zip(worded, candidates, strict=True)
        ]
        return sorted(range(len(candidates)), key=lambda at: -likes[at])

    # Signs ------------------------------------------------------------------------------------

    def read(self, question: str, candidates: Sequence[Candidate]) -> list[Signs]:
        """The signs of each candidate among the others; of a letter, what it asks is read."""
        question = asked_part(question)
        encoder = self.vectors.reader(question)
        worded = [self.concepts.in_words_of(f"{c.question}\n{c.text}", question)
                  for c in candidates]  # fmt: skip
        if encoder is not None:
            own = [text for c in candidates if c.question
                   for text in (c.question, c.text[:ENCODE])]  # fmt: skip
            self.vectors.read(encoder, own, keep=True)
            bare = (c.text[:ENCODE] for c in candidates)
            self.vectors.read(encoder, [question, *worded, *bare])
        asked = self.shares(question)
        rows = [
            self._own(one, asked, c, encoder) for one, c in zip(worded, candidates, strict=True)
        ]
        for name in (*RELATIVE, *ALSO_RELATIVE):
            mean = sum(row[name] for row in rows) / max(len(rows), 1)
            for row in rows:
                row[f"{name}, among others"] = row[name] - mean
        return rows

    def _own(self, question: str, asked: Shares, one: Candidate, encoder: Encoder | None) -> Signs:
        """Of a question in the words of the candidate."""
        reading = self._read(one.text)
        about = self._focus(question)
        stored = self._read(one.question).words if one.question else frozenset()
        words = reading.words | stored
        nearly = _nearly(about, words)
        kin = frozenset(
            word
            for start, end in self.concepts.kin(question, f"{one.question}\n{one.text}")
            for word in self._cut(question[start:end])
        )
        signs = {
            "named": _share(about, reading.words),
            "named first": _share(about, reading.first | stored),
            "all named": float(all(word in words for word in about)),
            "nearly named": _share(about, nearly),
            "kin": _share(about, kin - nearly),
            "lacks": max((w for word, w in about.items() if word not in nearly), default=0.0)
            / RAREST,
            "says": self._says(asked, one.text, reading.words, about),
            "says first": self._says(asked, one.text[:HEAD], reading.first, about),
            "shared": _cosine(self.texts.grams(question), self.texts.grams(one.text)),
            "length": math.log1p(len(one.text)) / 10.0,
        }
        if one.question:
            signs["asked the same kind"] = agreement(asked, self.shares(one.question))
            signs["asked alike"] = _share(about, stored)
            signs["asked more"] = 1.0 - _share(self._focus(one.question), frozenset(about))
        if encoder is not None:
            vector = self.vectors.of(encoder, question)
            signs["near"] = float(vector @ self.vectors.of(encoder, one.text[:ENCODE]))
            if one.question:
                signs["near asked"] = float(vector @ self.vectors.of(encoder, one.question))
        return {name: signs.get(name, 0.0) for name in (*BARE, *STORED)}


def _nearly(about: Iterable[str], words: frozenset[str]) -> frozenset[str]:
    """The words of a question that a text has in this form or another."""
    return frozenset(word for word in about if word in words or _another_form(word, words))


def _another_form(word: str, words: frozenset[str]) -> bool:
    """Whether a text has another form of a word ("epileptic" of "epilepsy"), or the word with a
    slip of one letter ("Sjgren"); a pair of Chinese characters has none."""
    if len(word) < BEGIN:
        return False
    begin = word[: max(BEGIN, len(word) - ENDING)]
    if any(one.startswith(begin) and len(one) <= len(begin) + ENDING for one in words):
        return True
    return len(word) >= SPELLED and any(
        one[0] == word[0] and OSA.distance(one, word, score_cutoff=1) <= 1
        for one in words
        if abs(len(one) - len(word)) <= 1
    )


def _share(weights: dict[str, float], words: frozenset[str]) -> float:
    whole = sum(weights.values())
    return sum(w for word, w in weights.items() if word in words) / whole if whole else 0.0


def _cosine(first: Sequence[str], second: Sequence[str]) -> float:
    one, two = set(first), set(second)
    return len(one & two) / math.sqrt(len(one) * len(two)) if one and two else 0.0
