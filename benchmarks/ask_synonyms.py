"""Writes the tables of words that stand beside words of the questions' lexicon and of records.

python benchmarks/ask_synonyms.py --wordnet /usr/share/wordnet [--folder FOLDER] [--check]

A word that no table knows ("logged", "ascertained") is looked up in WordNet 3.0 (Debian:
wordnet-base): the lexicon's own words in the same sense, or in one beside it, are what it may be
read as (src/osler/ask/form/synonyms.tsv). A word weighs as often as its sense is met in both; what
is only wider or narrower is left out ("widow" is more than "woman"), and so is every word that may
name a thing of nature or medicine: it is a concept or nothing.

The same for diseases, injuries, procedures, drugs and parts of the body: names of one thing
(called.tsv: collarbone, clavicle), some of which mean it only beside others ("broken", fracture).

``--check`` leaves each word of the lexicon out with all its forms and looks how often the table
made without it would read it as what it is.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

from rapidfuzz.distance import OSA

from osler.ask.form import lexicon
from osler.ask.form.lexicon import Meaning
from wordnet import Form, Sense, WordNet

# What a neighbour of a sense is worth: similar, of the adjective, of the same verbs, participle.
BESIDE = {"&": 0.5, "\\": 0.7, "$": 0.6, "<": 0.6}
# What another form of the same part of speech is worth: "takes" for "ingest".
OTHER_FORM = {
    ("base", "s"): 0.5,
    ("s", "base"): 0.5,
    ("ing", "base"): 0.5,
    ("base", "ing"): 0.4,
    ("s", "ing"): 0.3,
    ("ing", "s"): 0.3,
}
FAR_FORM = 0.15
LEAST = 0.2
MOST = 3
# A word by itself tells nothing of these: they lean on what stands beside them.
LEANING = frozenset(["units", "class", "form", "nth", "many", "place", "asker", "left"])
# Animals, bodies, food, plants, substances.
NATURE = frozenset([5, 8, 13, 20, 27])
# Ill health, symptoms, medical procedures, drugs, states of mind, relatives, people of a trade.
BARRED = (
    *("ill_health", "symptom", "medical_procedure", "drug", "medicine", "mental_disorder"),
    *("relative", "injury", "pathology", "medical_science", "pregnancy", "anatomical_structure"),
    *("month", "weekday", "large_integer", "digit", "kinship"),
)
MEDICAL = ("ill_health", "symptom", "injury", "body_part", "medical_procedure", "surgery", "drug")
"""Names of things under these are told by their other names; of "surgery" the operation."""
HURTS = ("symptom", "injury", "ill_health", "medical_procedure")
PLANTS = ("plant_disease", "animal_disease", "alcohol")
MEANT = 0.3
"""How often a word must mean the thing to stand for it alone."""
SYNONYMS = (
    "# Ordinary words, and words of the lexicon that they may be read as (ask_synonyms.py).\n"
)
CALLED = """\
# Names of one thing (benchmarks/ask_synonyms.py). Columns: names that stand for it alone, words
# that do so within a longer name.
"""
ENGLISH = "# English words that are no typing errors (benchmarks/ask_synonyms.py).\n"
NOTICE = """\
# Made from WordNet 3.0, whose notice must stay with every copy:
# WordNet 3.0 Copyright 2006 by Princeton University. All rights reserved. This software and
# database is being provided to you, the LICENSEE, by Princeton University under the following
# license. By obtaining, using and/or copying this software and database, you agree that you have
# read, understood, and will comply with these terms and conditions.: Permission to use, copy,
# modify and distribute this software and database and its documentation for any purpose and
# without fee or royalty is hereby granted, provided that you agree to comply with the following
# copyright notice and statements, including the disclaimer, and that the same appear on ALL
# copies of the software, database and documentation, including modifications that you make for
# internal use or for distribution. THIS SOFTWARE AND DATABASE IS PROVIDED "AS IS" AND PRINCETON
# UNIVERSITY MAKES NO REPRESENTATIONS OR WARRANTIES, EXPRESS OR IMPLIED. BY WAY OF EXAMPLE, BUT
# NOT LIMITATION, PRINCETON UNIVERSITY MAKES NO REPRESENTATIONS OR WARRANTIES OF MERCHANTABILITY
# OR FITNESS FOR ANY PARTICULAR PURPOSE OR THAT THE USE OF THE LICENSED SOFTWARE, DATABASE OR
# DOCUMENTATION WILL NOT INFRINGE ANY THIRD PARTY PATENTS, COPYRIGHTS, TRADEMARKS OR OTHER RIGHTS.
# The name of Princeton University or Princeton may not be used in advertising or publicity
# pertaining to distribution of the software and/or database. Title to copyright in this software,
# database and any associated documentation shall at all times remain with Princeton University
# and LICENSEE agrees to preserve same.
"""


class Reading(NamedTuple):
    weight: float
    word: str
    meanings: tuple[Meaning, ...]


class Synonyms:
    """The lexicon's single words, by the senses that they may have."""

    def __init__(self, wordnet: WordNet, words: dict[str, tuple[Meaning, ...]]) -> None:
        self.wordnet = wordnet
        self.words = words
        self.by_lemma: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
        for word in words:
            for form in wordnet.forms(word):
                self.by_lemma[form.lemma, form.part].append((word, form.ending))
        self.barred = frozenset(
            sense for word in BARRED for sense in wordnet.senses.get((word, "n"), [])[:1]
        )

    def family(self, word: str) -> set[str]:
        """A word of the lexicon with the other forms of it there."""
        forms = self.wordnet.forms(word)
        return {w for f in forms for w, _ in self.by_lemma[f.lemma, f.part]} | {word}

    def readings(self, word: str, hidden: Collection[str] = ()) -> list[Reading]:
        """What a word may be read as, the likeliest first, one word for each meaning."""
        whole = 0.0
        best: dict[tuple[Meaning, ...], Reading] = {}
        sums: dict[tuple[Meaning, ...], float] = defaultdict(float)
        for form in self.wordnet.forms(word):
            for sense, weight in self.wordnet.weighed(form.lemma, form.part):
                whole += weight
                for known, part in self._beside(sense, form, hidden):
                    meanings = self.words[known]
                    sums[meanings] += weight * part
                    if meanings not in best or best[meanings].weight < weight * part:
                        best[meanings] = Reading(weight * part, known, meanings)
        ranked = sorted(best.values(), key=lambda r: (-sums[r.meanings], r.word))
        return [Reading(sums[r.meanings] / whole, r.word, r.meanings) for r in ranked]

    def _beside(self, sense: Sense, form: Form, hidden: Collection[str]) -> list[tuple[str, float]]:
        near = [(sense, 1.0)]
        for kind, other in self.wordnet.synsets[sense].relations:
            if kind in BESIDE:
                near.append((other, BESIDE[kind]))
        found = []
        for other, worth in near:
            for lemma in self.wordnet.synsets[other].words:
                known = [k for k in self.by_lemma.get((lemma, other[0]), ()) if k[0] not in hidden]
                if not known:
                    continue
                weights = dict(self.wordnet.weighed(lemma, other[0]))
                share = weights.get(other, 0.0) / sum(weights.values())
                for word, ending in known:
                    same = ending == form.ending or other[0] != form.part
                    fits = 1.0 if same else OTHER_FORM.get((form.ending, ending), FAR_FORM)
                    found.append((word, worth * share * fits))
        return found

    def of_nature(self, word: str) -> bool:
        """Whether a word may name a thing of nature or medicine, a relative, a number."""
        whole = named = 0.0
        for form in self.wordnet.forms(word):
            for sense, weight in self.wordnet.weighed(form.lemma, form.part):
                whole += weight
                if form.part == "n":
                    nature = self.wordnet.synsets[sense].file in NATURE
                    named += weight * (nature or self.wordnet.below(sense, self.barred))
        return named > 0.25 * whole


def listed() -> dict[str, tuple[Meaning, ...]]:
    """The single words of the lexicon that another word may be read as."""
    return {
        phrase[0]: meanings
        for phrase, meanings in lexicon.spelled().items()
        if len(phrase) == 1
        and len(phrase[0]) > 2
        and phrase[0].isascii()
        and phrase[0].isalpha()
        and not any(m.tag in LEANING for m in meanings)
    }


def known_words() -> set[str]:
    """All words that some table of the questions knows, alone or within a phrase."""
    phrases = [*lexicon.spelled(), *lexicon.meanings()]
    terms = [*lexicon.other_words(), *lexicon.drug_classes()]
    return {p[0] for p in phrases if len(p) == 1} | {w for phrase in terms for w in phrase}


def table(synonyms: Synonyms) -> dict[str, list[str]]:
    """Each word that no table knows, and what it may be read as."""
    known = known_words()
    beginnings = tuple(beginning for beginning, _ in lexicon.stems())
    found: dict[str, list[str]] = {}
    for lemma, part in synonyms.wordnet.senses:
        if not (lemma.isascii() and lemma.isalpha() and 2 < len(lemma) < 16):
            continue
        for word in synonyms.wordnet.inflected(lemma, part):
            if word in known or word in found or word.startswith(beginnings):
                continue
            readings = [r for r in synonyms.readings(word) if r.weight >= LEAST]
            if readings and not synonyms.of_nature(word):
                found[word] = [r.word for r in readings[:MOST]]
    return found


def called(wordnet: WordNet) -> list[tuple[list[str], list[str]]]:
    """Names of one medical thing: those that mean it by themselves, and those that may."""
    roots = _first(wordnet, MEDICAL) | {wordnet.senses["surgical_operation", "n"][0]}
    apart = _first(wordnet, PLANTS)
    hurts = _first(wordnet, HURTS)
    verbs: dict[Sense, list[str]] = defaultdict(list)
    for sense, synset in wordnet.synsets.items():
        if sense[0] == "v":
            for kind, other in synset.relations:
                if kind == "+" and other[0] == "n" and wordnet.below(other, hurts):
                    verbs[other] += synset.words
    found = []
    for sense, synset in wordnet.synsets.items():
        if sense[0] != "n" or not wordnet.below(sense, roots) or wordnet.below(sense, apart):
            continue
        names = [word for word in synset.words if _plain(word)]
        alone = [word for word in names if wordnet.share(word, sense) >= MEANT]
        verbal = [f for verb in verbs[sense] if _plain(verb) for f in wordnet.inflected(verb, "v")]
        within = [w for w in dict.fromkeys([*names, *verbal]) if w not in alone and "_" not in w]
        if len(alone) + len(within) > 1 and (alone or verbal):
            found.append(([_spaced(w) for w in alone], within))
    return sorted(found)


def english(wordnet: WordNet) -> list[str]:
    """Words of English within a letter of one that a question may say: no typing errors of it."""
    said = [*lexicon.meanings(), *lexicon.other_words(), *lexicon.drug_classes()]
    known = {w for phrase in said for w in phrase if len(w) > 4 and w.isascii()}
    spelled = {w for phrase in lexicon.spelled() for w in phrase}
    found = set()

    def roots(word: str) -> set[tuple[str, str]]:
        return {(form.lemma, form.part) for form in wordnet.forms(word)}

    for lemma, part in wordnet.senses:
        met = sum(weight for _, weight in wordnet.weighed(lemma, part)) >= 1
        if not (met and lemma.isascii() and lemma.isalpha() and len(lemma) > 3):
            continue
        for word in wordnet.inflected(lemma, part):
            near = len(word) > 4 and word not in known and word not in spelled
            beside = [w for w in known if _one_letter(word, w)] if near else []
            if beside and not any((lemma, part) in roots(other) for other in beside):
                found.add(word)
    return sorted(found)


def _one_letter(word: str, other: str) -> bool:
    close = word[0] == other[0] and abs(len(word) - len(other)) < 2
    return close and OSA.distance(word, other, score_cutoff=1) <= 1


def _first(wordnet: WordNet, words: Sequence[str]) -> frozenset[Sense]:
    return frozenset(some[0] for word in words if (some := wordnet.senses.get((word, "n"))))


def _plain(word: str) -> bool:
    """An English name: no Latin of anatomists, no figures."""
    parts = word.replace("-", "_").split("_")
    latin = parts[0] in ("vena", "venae", "arteria", "arteriae", "nervus", "musculus", "ateria")
    return len(word) > 2 and all(p.isascii() and p.isalpha() for p in parts) and not latin


def _spaced(word: str) -> str:
    return word.replace("_", " ")


def told_apart(meanings: Sequence[Meaning]) -> set[Meaning]:
    """Meanings without what makes no difference: who asks, and what carries nothing."""
    return {Meaning("empty", "-") if m.tag == "asker" else m for m in meanings}


def check(synonyms: Synonyms) -> None:
    counts: dict[float, list[int]] = {least: [0, 0, 0] for least in (1.0, 0.5, 0.3, 0.2, 0.1, 0.02)}
    for word, meanings in synonyms.words.items():
        readings = synonyms.readings(word, synonyms.family(word))
        right = [bool(told_apart(r.meanings) & told_apart(meanings)) for r in readings[:MOST]]
        for least, row in counts.items():
            if readings and readings[0].weight >= least:
                row[0] += 1
                row[1] += right[0]
                row[2] += any(right)
    for least, (count, first, some) in counts.items():
        print(f"{least}: {count} words, the first right {first}, one of {MOST} right {some}")
    print(f"of {len(synonyms.words)} single words of the lexicon")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wordnet", type=Path, required=True)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--folder", type=Path, default=Path(lexicon.__file__).parent)
    options = parser.parse_args()
    wordnet = WordNet(options.wordnet)
    synonyms = Synonyms(wordnet, listed())
    if options.check:
        check(synonyms)
        return
    found = table(synonyms)
    rows = "".join(f"{word}\t{'|'.join(some)}\n" for word, some in sorted(found.items()))
    (options.folder / "synonyms.tsv").write_text(SYNONYMS + NOTICE + rows, "utf-8")
    names = called(wordnet)
    rows = "".join(f"{'|'.join(alone)}\t{'|'.join(within)}\n" for alone, within in names)
    (options.folder / "called.tsv").write_text(CALLED + NOTICE + rows, "utf-8")
    words = english(wordnet)
    text = "".join(f"{word}\n" for word in words)
    (options.folder / "english.tsv").write_text(ENGLISH + NOTICE + text, "utf-8")
    print(f"{len(found)} words, {len(names)} things with several names, {len(words)} no errors")


if __name__ == "__main__":
    main()
