"""Claims with a known side, made from sets whose licence allows weights that ship.

evidence_inference (MIT): a prompt becomes three claims (more, less, no effect). pubmedqa (MIT): a
question is its own claim. What takes no side: the same claims with another trial's drug or outcome,
with another paper's conclusion, with the paper's own aim.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

import msgspec

from osler.claims.align import align
from osler.claims.conclusion import is_aim, place_features
from osler.claims.trial import Features
from osler.claims.words import words
from osler.text.sentences import sentences

TRIAL_CLASSES = ("increased", "decreased", "no difference")
ANSWER_CLASSES = ("yes", "no", "maybe")
SIDE_CLASSES = ("supports", "refutes")
KINDS = ("increases", "reduces", "has no effect on")
"""What the claims say that are made from a prompt."""
ABOUT_CLASSES = ("side", "none")
TOPIC_CLASSES = ("own", "other")


class Prompt(msgspec.Struct, frozen=True):
    """A trial's result: what was compared on which outcome, what came out, and where it is said."""

    intervention: str
    comparator: str
    outcome: str
    texts: tuple[str, ...]
    label: str
    group: str


class Question(msgspec.Struct, frozen=True):
    """A research question with its paper's sections, its conclusion and the answer."""

    id: str
    question: str
    sections: tuple[str, ...]
    conclusion: str
    answer: str

    @property
    def abstract(self) -> str:
        return " ".join((*self.sections, self.conclusion))


class Example(msgspec.Struct, frozen=True):
    """A claim, a text, and the side that the text takes."""

    claim: str
    text: str
    side: str
    group: str


def prompt_claims(prompt: Prompt) -> list[tuple[str, str]]:
    """Three claims of a prompt, each with its side."""
    # Half of the claims name the comparator: so do people.
    named = prompt.comparator and (len(prompt.outcome) + len(prompt.intervention)) % 2
    against = f" compared with {prompt.comparator}" if named else ""
    more = prompt.label == "increased"
    less = prompt.label == "decreased"
    start = prompt.intervention
    holds = (more, less, not (more or less))
    return [
        (f"{start} {kind} {prompt.outcome}{against}.", _side(one))
        for kind, one in zip(KINDS, holds, strict=True)
    ]


def kind_of(claim: str) -> str:
    """Which of the three claims of a prompt this is, or that it asks."""
    if claim.rstrip().endswith("?"):
        return "asks"
    return next((kind for kind in KINDS if f" {kind} " in claim), "")


def _side(holds: bool) -> str:
    return "supports" if holds else "refutes"


def trial_examples(prompts: Sequence[Prompt]) -> list[Example]:
    """Claims of trials with their own sentence."""
    return [
        Example(claim, prompt.texts[0], side, prompt.group)
        for prompt in prompts
        for claim, side in prompt_claims(prompt)
    ]


def question_examples(questions: Sequence[Question]) -> list[Example]:
    """Questions with their conclusion and with the whole abstract."""
    sides = {"yes": "supports", "no": "refutes", "maybe": "neutral"}
    return [
        Example(one.question, text, sides[one.answer], one.id)
        for one in questions
        for text in (one.conclusion, one.abstract)
    ]


def sideless(
    prompts: Sequence[Prompt], questions: Sequence[Question], *, seed: int = 0
) -> list[Example]:
    """Claims with a text that does not judge them."""
    draw = random.Random(seed)  # noqa: S311 - which pairs are drawn is no secret
    examples = []
    for prompt in prompts:
        other = draw.choice(prompts)
        text = prompt.texts[0]
        if not _shares(other.intervention, text):
            changed = msgspec.structs.replace(prompt, intervention=other.intervention)
            claim, _ = draw.choice(prompt_claims(changed))
            examples.append(Example(claim, text, "neutral", prompt.group))
        if not _shares(other.outcome, text):
            changed = msgspec.structs.replace(prompt, outcome=other.outcome)
            claim, _ = draw.choice(prompt_claims(changed))
            examples.append(Example(claim, text, "neutral", prompt.group))
    for question in questions:
        others = draw.sample(list(questions), min(40, len(questions)))
        near = max(
            (one for one in others if one.id != question.id),
            key=lambda one: _overlap(question.question, one.conclusion),
            default=None,
        )
        if near is not None:
            examples.append(Example(question.question, near.conclusion, "neutral", question.id))
        aims = [one for one in _sentences(question.sections[:1]) if is_aim(one)]
        if aims:
            examples.append(Example(question.question, aims[-1], "neutral", question.id))
    return examples


def topic_examples(questions: Sequence[Question], *, seed: int = 7) -> list[Example]:
    """Each question with its own conclusion and abstract, and with those of another paper that has
    most of its words among forty."""
    draw = random.Random(seed)  # noqa: S311 - which pairs are drawn is no secret
    asked = {one.id: _content(one.question) for one in questions}
    concluded = {one.id: _content(one.conclusion) for one in questions}
    examples = []
    for question in questions:
        others = draw.sample(list(questions), min(40, len(questions)))
        near = max(
            (one for one in others if one.id != question.id),
            key=lambda one: len(asked[question.id] & concluded[one.id]),
            default=None,
        )
        for paper, side in ((question, "own"), (near, "other")):
            if paper is not None:
                for text in (paper.conclusion, paper.abstract):
                    examples.append(Example(question.question, text, side, question.id))
    return examples


def finder_examples(questions: Sequence[Question]) -> tuple[list[Features], list[str]]:
    """Sentences of abstracts, each said to be of the conclusion or not."""
    rows, labels = [], []
    for question in questions:
        text = question.abstract
        cut = len(text) - len(question.conclusion)
        places = sentences(text)
        for number, (start, end) in enumerate(places):
            from_end = len(places) - 1 - number
            rows.append(place_features(text[start:end], from_end, len(places)))
            labels.append("conclusion" if start >= cut - 1 else "other")
    return rows, labels


def _shares(name: str, text: str) -> bool:
    return bool(align(words(name), words(text)).matched())


def _overlap(claim: str, text: str) -> float:
    return align(words(claim), words(text)).coverage()


def _content(text: str) -> set[str]:
    return {word.stem for word in words(text) if word.content}


def _sentences(sections: Iterable[str]) -> list[str]:
    return [text[a:b] for text in sections for a, b in sentences(text)]
