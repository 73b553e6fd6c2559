"""Finding a knowledge base's entities in a question: exact names, then parts of names, then
typos."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field

import numpy as np

from osler.ask.reading.names import Names, Word, stems_of
from osler.ask.reading.whom import BETWEEN, COMPARING, bare_patient, called
from osler.ask.reading.words import (
    ABBREVIATIONS,
    ALIKE,
    GENDERS,
    NEGATIONS,
    PATIENT_WORDS,
    SOFT,
    STOP,
    fields,
    stem,
)
from osler.records.kb import ClinicalKB, Ints

MAX_RUN = 6
MAX_TYPOS = 3
MAX_PARTIAL = 4_000


@dataclass
class Mention:
    """Words ``first`` to ``last`` (exclusive) that name nodes. ``how``: exact, part, typo, short.

    ``weak``: the words also have an ordinary meaning in a question, so that it may be none.
    """

    first: int
    last: int
    nodes: Ints
    how: str = "exact"
    weak: bool = False
    patient: bool = False
    name: str = ""
    negated: bool = False
    # One of several that the question offers: "married or single".
    choice: bool = False
    by_type: dict[int, Ints] = field(default_factory=dict)

    @property
    def words(self) -> range:
        return range(self.first, self.last)


def exact_mentions(names: Names, words: list[Word]) -> list[Mention]:
    """Non-overlapping exact names, longest first, ties to the left."""
    kb = names.kb
    texts = [w.text for w in words]
    exact: list[Mention] = []
    taken: set[int] = set()
    for length in range(min(max(names.longest, 5), len(words)), 0, -1):
        for first in range(len(words) - length + 1):
            span = range(first, first + length)
            if taken.intersection(span):
                continue
            key = " ".join(texts[first : first + length])
            nodes = kb.by_name.get(key) or names.aliases.get(key)
            if nodes is None and length == 1 and texts[first] in ALIKE:
                nodes = [n for other in ALIKE[texts[first]] for n in kb.by_name.get(other, ())]
            if nodes is None and length == 1 and texts[first].endswith("s"):
                nodes = kb.by_name.get(texts[first][:-1])
            if not nodes or key in names.kinds:
                continue
            array = np.asarray(nodes, dtype=np.int64)
            is_patient = kb.type_of[array] == kb.patient_type
            if is_patient.any():
                if key.isdigit() and not (called(texts, first) or bare_patient(texts, first)):
                    is_patient[:] = False
                    array = array[kb.type_of[array] != kb.patient_type]
                    if not len(array):
                        continue
                else:
                    array = array[is_patient]
            if (
                length == 1
                and not is_patient.any()
                and (texts[first] in STOP or texts[first] in PATIENT_WORDS)
            ):
                continue
            if length == 1 and key.replace(".", "").isdigit() and not is_patient.any():
                # A lone number is a test's, not the name of whatever has that value; but "code
                # 53081" names the code.
                array = _labelled(names, texts, first, array)
                if not len(array):
                    continue
            if length > 1 or len(nodes) > 1:
                coded = np.asarray([not names.prose[t] for t in kb.type_of[array]])
                # A whole sentence that happens to be these words is no name where a name is at
                # hand.
                array = array[coded] if coded.any() else array
            mention = _mention(
                kb, first, first + length, array, "exact", " ".join(texts[first : first + length])
            )
            if length == 1 and key.replace(".", "").isdigit():
                mention.how = "number"
            mention.patient = bool(is_patient.any()) or _is_name(names, mention)
            mention.weak = not mention.patient and _ordinary(texts[first : first + length], names)
            taken.update(span)
            exact.append(mention)
    return sorted(exact, key=lambda m: m.first)


def offered(kb: ClinicalKB, mentions: list[Mention], words: list[Word]) -> list[Mention]:
    """Mentions with only "or" between them as one that any of their nodes meets."""
    result: list[Mention] = []
    for mention in mentions:
        last = result[-1] if result else None
        between = [w.text for w in words[last.last : mention.first]] if last else []
        joined = between and between[0] == "or" and set(between) <= {"or", "a", "an", "the"}
        if last is None or not joined or last.patient or mention.patient:
            result.append(mention)
            continue
        nodes = np.union1d(last.nodes, mention.nodes)
        both = _mention(
            kb, last.first, mention.last, nodes, "exact", f"{last.name} or {mention.name}"
        )
        both.weak, both.choice = last.weak and mention.weak, True
        result[-1] = both
    return result


def _mention(kb: ClinicalKB, first: int, last: int, nodes: Ints, how: str, name: str) -> Mention:
    types = kb.type_of[nodes]
    by_type = {int(t): nodes[types == t] for t in np.unique(types)}
    # Part of a name, or a slip of the pen, may as well be no name at all.
    return Mention(first, last, nodes, how=how, name=name, by_type=by_type, weak=how != "exact")


def _is_name(names: Names, mention: Mention) -> bool:
    """A patient's name that stands as a node of its own: the mention then is of the patient."""
    kb = names.kb
    if not all("name" in kb.types[t].lower() for t in mention.by_type):
        return False
    _, rows = kb.edges_of(mention.nodes)
    near = np.unique(kb.neighbour[rows].astype(np.int64))
    near = near[kb.type_of[near] == kb.patient_type]
    if not len(near):
        return False
    mention.nodes = near
    mention.by_type = {kb.patient_type: near}
    return True


def _labelled(names: Names, texts: list[str], first: int, nodes: Ints) -> Ints:
    """The nodes whose type, or the relation that leads to them, is said just before."""
    said: set[str] = set()
    for at in range(first - 1, max(-1, first - 6), -1):
        if texts[at] in COMPARING:
            break
        if texts[at] not in STOP:
            said.add(stem(texts[at]))
        elif texts[at] not in BETWEEN:
            break
    if not said:
        return nodes[:0]
    kb = names.kb
    keep = []
    for node in nodes.tolist():
        about = {kb.types[kb.type_of[node]]}
        about.update(kb.relation_of(code)[0] for code, _, _ in kb.neighbours(node)[:3])
        keep.append(bool(said & stems_of(about)))
    return np.asarray(nodes[np.asarray(keep, dtype=bool)], dtype=np.int64)


def _ordinary(texts: list[str], names: Names) -> bool:
    """Words that could as well be the question's own: "admitted", "present", "smoking status"."""
    if len(texts) == 1 and texts[0] in GENDERS:
        # Who is asked about is never beside the point.
        return False
    return all(
        t in STOP or t in SOFT or t in NEGATIONS or fields(t) or stem(t) in names.relation_words
        for t in texts
    )


def partial_mentions(names: Names, words: list[Word], free: list[bool]) -> list[Mention]:
    """Runs of free content words that stand inside names: metformin in "Metformin 500 MG
    Tablet"."""
    kb = names.kb
    partial: list[Mention] = []
    at = 0
    while at < len(words):
        if not free[at]:
            at += 1
            continue
        end = at
        while end < len(words) and (
            free[end]
            or (words[end].text in ("of", "to", "in") and end + 1 < len(words) and free[end + 1])
        ):
            end += 1
        end = min(end, at + MAX_RUN)
        best: Mention | None = None
        for length in range(end - at, 0, -1):
            for first in range(at, end - length + 1):
                span = [words[i].text for i in range(first, first + length)]
                best = _part(names, first, span)
                if best is not None:
                    break
            if best is not None:
                break
        if best is None:
            at = end
            continue
        partial.append(best)
        for i in best.words:
            free[i] = False
        # Look again in what is left of the run.
        if best.first == at:
            at = best.last
    del kb
    return partial


def _part(names: Names, first: int, span: list[str]) -> Mention | None:
    kb = names.kb
    expanded = [w for s in span for w in ABBREVIATIONS.get(s, (s,))[0].split()]
    how = "part" if expanded == span else "short"
    wanted = [stem(w) for w in expanded if w not in STOP]
    if not wanted or not any(len(w) > 2 for w in wanted):
        return None
    if how == "short" and " ".join(expanded) in kb.by_name:
        nodes = np.asarray(kb.by_name[" ".join(expanded)], dtype=np.int64)
        return _mention(kb, first, first + len(span), nodes, how, " ".join(span))
    # A code may be a word cut short: RUSS, ENGL.
    start = span[0][:4] if len(span) == 1 and len(span[0]) > 5 else ""
    cut = [n for n in kb.by_name.get(start, ()) if kb.names[n].isupper()]
    lists = [names.holding.get(w) for w in wanted]
    shared = set(lists[0] or ())
    for other in lists[1:]:
        shared &= set(other or ())
    if not shared and not cut:
        return None
    collected: list[int] = list(cut)
    for name in sorted(shared):
        collected += kb.by_name[name]
        if len(collected) > MAX_PARTIAL:
            break
    nodes = np.unique(np.asarray(collected, dtype=np.int64))
    nodes = nodes[kb.type_of[nodes] != kb.patient_type] if kb.patient_type >= 0 else nodes
    if not len(nodes):
        return None
    return _mention(kb, first, first + len(span), nodes, how, " ".join(span))


def typo_mentions(names: Names, words: list[Word], free: list[bool]) -> list[Mention]:
    """A free word of five letters or more that is one slip away from a word of some name."""
    misspelled: list[Mention] = []
    tried = 0
    for at, word in enumerate(words):
        if tried >= MAX_TYPOS:
            break
        if not free[at] or len(word.text) < 5 or any(c.isdigit() for c in word.text):
            continue
        tried += 1
        near = difflib.get_close_matches(word.text, _near(names, word.text), n=1, cutoff=0.84)
        if near:
            mention = _part(names, at, [near[0]])
            if mention is not None:
                mention.how = "typo"
                misspelled.append(mention)
    return misspelled


def _near(names: Names, word: str) -> list[str]:
    """Words of names with the same first letter or the same end, and about the same length."""
    return [
        w
        for w in names.kb.vocabulary
        if abs(len(w) - len(word)) <= 2 and (w[0] == word[0] or w[-3:] == word[-3:]) and w.isalpha()
    ]
