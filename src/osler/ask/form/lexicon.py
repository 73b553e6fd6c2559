"""What the words of a question mean: the tables beside this file, read once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

from osler.ask.form.tokens import Token, fold, stem, tokens

Phrase = tuple[str, ...]


class Meaning(NamedTuple):
    tag: str
    value: str


class DrugClass(NamedTuple):
    """A class of drugs: name stems with a hyphen where the name goes on, and other members; one
    with a ! bears the stem and belongs elsewhere."""

    name: str
    stems: tuple[str, ...]
    members: tuple[str, ...]

    def holds(self, word: str) -> str:
        """The stem or member by which a word of a drug's name belongs to the class; or empty."""
        if f"!{word}" in self.members:
            return ""
        for member in self.members:
            if word == member:
                return member
        for part in self.stems:
            bare = part.strip("-")
            if len(word) <= len(bare):
                continue
            if part.startswith("-") and word.endswith(bare):
                return part
            if part.endswith("-") and word.startswith(bare):
                return part
        return ""


_BRACES = re.compile(r"\{([^{}]*)\}")


def spread(phrase: str) -> list[str]:
    """A phrase with all ways through its braces: "of {any,whatever} kind" is two phrases."""
    match = _BRACES.search(phrase)
    if match is None:
        return [" ".join(phrase.split())]
    before, after = phrase[: match.start()], phrase[match.end() :]
    return [way for part in match.group(1).split(",") for way in spread(before + part + after)]


def rows(table: str) -> Iterator[list[str]]:
    text = resources.files("osler.ask.form").joinpath(f"{table}.tsv").read_text("utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def phrase_of(text: str) -> Phrase:
    return tuple(token.key for token in tokens(text) if not token.mark or token.text == "/")


def _words_of(phrase: str) -> Phrase:
    if phrase.isascii() and phrase.replace(" ", "").isalpha():
        # Plain words, which most are, need no taking apart.
        return tuple(fold(word) for word in phrase.split())
    return tuple(t.word for t in tokens(phrase) if not t.mark or t.text == "/")


@lru_cache(maxsize=1)
def spelled() -> dict[Phrase, tuple[Meaning, ...]]:
    """Each phrase as it is spelled ("patients" is not "patient"), with all that it may mean."""
    by_phrase: dict[Phrase, dict[Meaning, None]] = {}
    for tag, value, phrases in rows("lexicon"):
        for phrase in (way for listed in phrases.split("|") for way in spread(listed)):
            key = _words_of(phrase.removesuffix("*"))
            by_phrase.setdefault(key, {})[Meaning(tag, value)] = None
    by_phrase.pop((), None)
    return {phrase: tuple(some) for phrase, some in by_phrase.items()}


@lru_cache(maxsize=1)
def meanings() -> dict[Phrase, tuple[Meaning, ...]]:
    """The same without plurals, for a form that the table does not spell out."""
    by_phrase: dict[Phrase, dict[Meaning, None]] = {}
    for phrase, some in spelled().items():
        known = by_phrase.setdefault(tuple(stem(word) for word in phrase), {})
        known.update(dict.fromkeys(some))
    return {phrase: tuple(some) for phrase, some in by_phrase.items()}


def meant(words: Sequence[Token]) -> tuple[Meaning, ...]:
    """What a stretch of words may mean: as spelled, else without its plurals."""
    exact = spelled().get(tuple(token.word for token in words))
    return exact or meanings().get(tuple(token.key for token in words), ())


@lru_cache(maxsize=1)
def stems() -> tuple[tuple[str, Meaning], ...]:
    """Beginnings of words that mean something whatever follows."""
    return tuple(
        (phrase[:-1], Meaning(tag, value))
        for tag, value, phrases in rows("lexicon")
        for phrase in phrases.split("|")
        if phrase.endswith("*") and len(phrase) > 2
    )


@lru_cache(maxsize=1)
def english() -> frozenset[str]:
    """Words of English that are no typing error of another, though they are a letter from it."""
    return frozenset(word for (word,) in rows("english"))


@lru_cache(maxsize=1)
def other_words() -> dict[Phrase, tuple[str, ...]]:
    """For what a question may say: what the records may call it."""
    terms_of: dict[Phrase, tuple[str, ...]] = {}
    for terms, phrases in rows("terms"):
        listed = tuple(terms.split("|"))
        for phrase in phrases.split("|"):
            key = phrase_of(phrase)
            terms_of[key] = tuple(dict.fromkeys((*terms_of.get(key, ()), *listed)))
    for terms, _ in rows("terms"):
        for term in terms.split("|"):
            # A term that no record bears is still understood; it stands for itself alone.
            terms_of.setdefault(phrase_of(term), (term,))
    return terms_of


@lru_cache(maxsize=1)
def drug_classes() -> dict[Phrase, DrugClass]:
    by_phrase: dict[Phrase, DrugClass] = {}
    for name, parts, members, phrases in rows("classes"):
        drug_class = DrugClass(
            name,
            tuple(p for p in parts.split("|") if p != "-"),
            tuple(m for m in members.split("|") if m != "-"),
        )
        for phrase in phrases.split("|"):
            by_phrase[phrase_of(phrase)] = drug_class
    return by_phrase
