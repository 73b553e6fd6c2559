"""A project's state, folded from its log: who decided what, where reviewers differ, the flow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from osler.review.entries import STAGES, Began, Decided, Entry, Searched, Stage, TakenBack


class Project(msgspec.Struct, kw_only=True):
    """One review. ``decisions`` holds, by stage, paper and reviewer, the last word that counts;
    ``resolved`` the word of a third."""

    name: str
    card: Began = Began()
    searches: list[Searched] = []
    decisions: dict[Stage, dict[str, dict[str, Decided]]] = {}
    resolved: dict[Stage, dict[str, Decided]] = {}
    history: list[tuple[int, Entry]] = []

    def identified(self) -> list[str]:
        """Papers that the searches found, each once, in the order of finding."""
        return list(dict.fromkeys(id for search in self.searches for id in search.documents))

    def verdict(self, stage: Stage, document: str) -> Decided | None:
        """What holds of a paper: the third's word, or the reviewers' when all agree on including
        or excluding it."""
        if document in self.resolved.get(stage, {}):
            return self.resolved[stage][document]
        final = self._final(stage, document)
        if len(final) < self.card.reviewers or len({one.verdict for one in final}) != 1:
            return None
        return final[-1]

    def _final(self, stage: Stage, document: str) -> list[Decided]:
        words = self.decisions.get(stage, {}).get(document, {}).values()
        return [one for one in words if one.verdict in ("include", "exclude")]

    def conflicts(self, stage: Stage = "abstract") -> list[str]:
        """Papers that one reviewer includes and another excludes, and nobody has resolved."""
        return [
            document
            for document in self.decisions.get(stage, {})
            if document not in self.resolved.get(stage, {})
            and len({one.verdict for one in self._final(stage, document)}) > 1
        ]

    def to_screen(self, reviewer: str, stage: Stage = "abstract") -> list[str]:
        """Papers that a reviewer has no word on yet; of others' words nothing is told."""
        own = self.decisions.get(stage, {})
        return [id for id in self.at_stage(stage) if reviewer not in own.get(id, {})]

    def at_stage(self, stage: Stage) -> list[str]:
        """Papers that a stage is about: all found ones, then those that were included."""
        if stage == "abstract":
            return self.identified()
        return [id for id in self.identified() if _includes(self.verdict("abstract", id))]

    def kappa(self, first: str, second: str, stage: Stage = "abstract") -> float | None:
        """Cohen's kappa of two reviewers over what both included or excluded: (po - pe) / (1 - pe).
        None where they share nothing, or chance alone explains all."""
        pairs = [
            (words[first].verdict, words[second].verdict)
            for words in self.decisions.get(stage, {}).values()
            if {first, second} <= words.keys()
            and {words[first].verdict, words[second].verdict} <= {"include", "exclude"}
        ]
        if not pairs:
            return None
        share = sum(a == b for a, b in pairs) / len(pairs)
        ones = sum(a == "include" for a, _ in pairs) / len(pairs)
        twos = sum(b == "include" for _, b in pairs) / len(pairs)
        chance = ones * twos + (1 - ones) * (1 - twos)
        return None if chance == 1 else (share - chance) / (1 - chance)

    def prisma(self) -> dict[str, int | dict[str, int]]:
        """Counts of the PRISMA 2020 flow; every paper is in one place at each stage."""
        papers = self.identified()
        records = sum(len(search.documents) for search in self.searches)
        flow: dict[str, int | dict[str, int]] = {
            "identified": records,
            "duplicates": records - len(papers),
        }
        for stage, word in zip(STAGES, ("screened", "assessed"), strict=True):
            here = self.at_stage(stage)
            words = [self.verdict(stage, id) for id in here]
            out = [one for one in words if one is not None and one.verdict == "exclude"]
            flow[f"to be {word}"] = len(here)
            flow[f"{word}, excluded"] = len(out)
            flow[f"{word}, undecided"] = sum(not one or one.verdict not in FINAL for one in words)
            flow[f"{word}, reasons"] = dict(Counter(one.reason or "no reason" for one in out))
        flow["included"] = sum(_includes(self.verdict("full text", id)) for id in papers)
        return flow


FINAL = ("include", "exclude")


def _includes(word: Decided | None) -> bool:
    return word is not None and word.verdict == "include"


def folded(name: str, log: Iterable[tuple[int, Entry]]) -> Project:
    """The state after a log of numbered entries; what was taken back does not count."""
    history = list(log)
    gone = {entry.seq for _, entry in history if isinstance(entry, TakenBack)}
    project = Project(name=name, history=history)
    for seq, entry in history:
        if seq in gone:
            continue
        match entry:
            case Began():
                project.card = entry
            case Searched():
                project.searches.append(entry)
            case Decided(resolves=True):
                project.resolved.setdefault(entry.stage, {})[entry.document] = entry
            case Decided():
                papers = project.decisions.setdefault(entry.stage, {})
                papers.setdefault(entry.document, {})[entry.reviewer] = entry
    return project


def last_of(project: Project, reviewer: str) -> int | None:
    """The number of a reviewer's last decision that still counts."""
    gone = {entry.seq for _, entry in project.history if isinstance(entry, TakenBack)}
    own: Mapping[int, Decided] = {
        seq: entry
        for seq, entry in project.history
        if isinstance(entry, Decided) and entry.reviewer == reviewer and seq not in gone
    }
    return max(own, default=None)
