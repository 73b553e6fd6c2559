"""Makes the tables of `match` again (`src/osler/match/answering.json`).

    python benchmarks/teach_match.py --data DIR --out answering.json

Taught by questions with and without an answer out of MedQuAD and PubMedQA (``match_lists.py``),
in wordings that are filled in, as titles, and as people would ask.
What a question asks for is read by weights that saw other wordings, and the signs' own weights are
measured on foci that they did not see. Everything is read with the package's other names alone, and
again with those that MedQuAD tells and the terminologies of a library, that of ``osler demo``
(``--library``). Beside stored questions those by hand teach too (``match_none.tsv``,
``match_own.tsv``, ``match_chinese.tsv``), and bend the log-odds (``match_bent.py``); Chinese is
read by an encoder of its own (``osler fetch bge-small-zh``).
"""

from __future__ import annotations

import argparse
import gzip
import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

import osler.text
from match_bent import LOOKED_AT, RIDGE, by_people, weighed
from match_lists import (
    KIND_OF,
    SEEN,
    Asked,
    Row,
    medquad_lists,
    names,
    people_lists,
    read,
    title_lists,
    titles,
    wordings,
)
from match_lists import (
    by_people as asked_by_people,
)
from match_none import CHINESE, CHINESE_ENCODER, chinese, collections, questions
from osler.match.asking import asked_kind
from osler.match.concepts import Concepts
from osler.match.kind_shares import KindTable, cues
from osler.match.learned import RAREST, Learned, Weighed
from osler.match.matcher import Candidate
from osler.match.memory import VectorMemory
from osler.match.own_names import names_in, terminology_of
from osler.match.signs import SignReader, Signs, head_name, names_of
from osler.match.text_vectors import TextVectors
from osler.match.texts import Texts
from osler.measures.calibration import expected_calibration_error
from osler.text.encoder import Encoder, load_encoder
from osler.text.scripts import CJK_CHARACTER

FILLED = 8
"""Foci that each wording is taught with."""
PEOPLE_COUNT = 4
"""How often a question by hand counts beside a wording with one focus."""
VECTOR, RIDGE_KINDS = 5.0, 1.0
"""How much a vector of length one counts beside a cue, before the ridge."""
PARTS = 5
LEAST_CHANCE = 0.35
"""Below it nothing is said to answer: the lowest of the bars told (``match_bent.py``) at which nine
in ten of the English questions without an answer were refused in each collection that the questions
of the others bent, when it was chosen. It stays, so that one teaching is measured as the next."""
IN_NAMES, LEAST = 0.05, 0.1
"""A word counts as much as it is rare among answers, times how much it is a word of names: names
that hold it, against this share of the answers that do; this much at least."""
Floats = NDArray[np.float64]


def mesh_names(data: Path) -> list[str]:
    """The headings of MeSH and what else they go by."""
    with gzip.open(data / "mesh" / "descriptors.tsv.gz", "rt", encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines][1:]
    return [name for row in rows for name in (row[1], *row[3].split("|")) if name]


def everyday_words(texts: Texts) -> set[str]:
    """The whole words that the encoder which ships has a piece of its own for: it learned its
    pieces from books and an encyclopedia, where people's words are frequent."""
    place = Path(osler.text.__file__).parent / "weights" / "osler-small" / "tokenizer.json"
    pieces = msgspec.json.decode(place.read_bytes())["model"]["vocab"]
    return {word for piece in pieces if piece.isalpha() and len(piece) > 2
            for word in texts.words(piece)}  # fmt: skip


def word_weights(rows: Sequence[Row], headings: Sequence[str], texts: Texts) -> dict[str, float]:
    """How much a word says of what a question is about. A word that no answer holds is taken for a
    name at full weight, unless it is an everyday word that no name holds: people write more than
    answers do, and what they write beside the matter ("fault", "odds") names nothing."""
    seen: Counter[str] = Counter()
    for row in rows:
        seen.update(set(texts.words(row["answer"])) | set(texts.words(row["question"])))
    named: Counter[str] = Counter()
    for name in {*headings, *(name for row in rows for name in names(row))}:
        named.update(set(texts.words(name)))
    weights = {}
    everyday = everyday_words(texts)
    for word in sorted({word for word, count in seen.items() if count >= 4} | everyday):
        count = max(seen[word], 1)
        rare = min(RAREST, math.log(len(rows) / count))
        share = named[word] / (named[word] + IN_NAMES * count)
        if seen[word] >= 4 or share < LEAST:
            weights[word] = round(rare * max(share, LEAST), 2)
    return weights


def character_weights(texts: Sequence[str]) -> dict[str, float]:
    """How rare each Chinese character is among questions and answers."""
    seen: Counter[str] = Counter()
    for text in texts:
        seen.update({one for one in text if CJK_CHARACTER.match(one)})
    return {
        one: round(min(RAREST, math.log(len(texts) / count)), 1)
        for one, count in sorted(seen.items())
        if count >= 2
    }


def tables(rows: Sequence[Row], headings: Sequence[str], texts: Texts) -> Learned:
    """What words say, and which speak for which kind; no weights of signs yet."""
    seen: Counter[str] = Counter()
    documents = []
    for row in rows:
        words = set(texts.words(row["answer"]))
        seen.update(words | set(texts.words(row["question"])))
        if row["type"] in KIND_OF:
            about = set(texts.words(" ".join(names(row))))
            documents.append((words - about, KIND_OF[row["type"]]))
    vocabulary = sorted(word for word, count in seen.items() if count >= 25)
    number = {word: at for at, word in enumerate(vocabulary)}
    owner, column, value = [], [], []
    for at, (words, _) in enumerate(documents):
        known = [number[word] for word in sorted(words) if word in number]
        owner += [at] * len(known)
        column += known
        value += [1 / math.sqrt(max(len(known), 1))] * len(known)
    matrix = sparse.csr_matrix((value, (owner, column)), (len(documents), len(vocabulary)))
    model = LogisticRegression(C=1.0, max_iter=500, class_weight="balanced")
    model.fit(matrix, [kind for _, kind in documents])
    kinds = {
        word: tuple(round(float(w), 2) for w in model.coef_[:, number[word]]) for word in vocabulary
    }
    return Learned(
        source="MedQuAD (CC BY 4.0), 4,000 pairs; PubMedQA (MIT), 700 titles; names of MeSH; "
        "Chinese characters of Toyhom (MIT) and Huatuo (Apache 2.0)",
        rarity=word_weights(rows, headings, texts),
        kind_names=tuple(str(name) for name in model.classes_),
        kind_bias=tuple(round(float(b), 3) for b in model.intercept_),
        kinds=kinds,
        heads={},
        least=LEAST_CHANCE,
    )


class KindTeacher:
    """Teaches what a question asks for; ``of`` leaves some wordings out."""

    def __init__(self, rows: Sequence[Row], asked: Sequence[str], encoder: Encoder) -> None:
        rng = np.random.default_rng(0)
        foci = sorted({row["focus"] for row in rows if row["focus"]})
        self.texts: list[str] = []
        self.kinds: list[str] = []
        self.numbers: list[int] = []
        for number, (kind, wording) in enumerate(wordings()):
            for _ in range(FILLED):
                chosen = [str(name) for name in rng.choice(foci, wording.count("{}"))]
                fills = [name.lower() if rng.random() < 0.5 else name for name in chosen]
                self.texts.append(wording.format(*fills))
                self.kinds.append(kind)
                self.numbers.append(number)
        kind_of = {row["_id"]: KIND_OF.get(row["type"], "effect") for row in rows}
        for number, id, question in asked_by_people():
            self.texts += [question] * PEOPLE_COUNT
            self.kinds += [kind_of.get(id, "effect")] * PEOPLE_COUNT
            self.numbers += [number] * PEOPLE_COUNT
        for at, title in enumerate(asked):
            self.texts.append(title)
            self.kinds.append("effect")
            self.numbers.append(-1 - at)
        self.vectors = VECTOR * np.asarray(encoder.encode(self.texts))
        self.cues = np.array([cues(text) for text in self.texts])

    def of(self, without: frozenset[int]) -> KindTable:
        rows = [at for at, number in enumerate(self.numbers) if number not in without]
        matrix = np.hstack([self.vectors[rows], self.cues[rows]])
        model = LogisticRegression(C=RIDGE_KINDS, max_iter=1000)
        model.fit(matrix, [self.kinds[at] for at in rows])
        width = self.vectors.shape[1]

        def rounded(weights: Floats, times: float) -> tuple[tuple[float, ...], ...]:
            return tuple(tuple(round(times * float(w), 2) for w in row) for row in weights)

        return KindTable(
            tuple(str(name) for name in model.classes_),
            tuple(round(float(b), 3) for b in model.intercept_),
            rounded(model.coef_.T[:width], VECTOR),
            rounded(model.coef_.T[width:], 1.0),
        )


def tell_kinds(teacher: KindTeacher, crossed: Sequence[KindTable], encoder: Encoder) -> None:
    """How often what is asked is read rightly: on wordings that were not seen, and by hand."""
    whole = teacher.of(frozenset())
    by_hand = [(row["question"], KIND_OF[row["type"].split("|")[0]]) for part in LOOKED_AT
               for row in questions(part) if row["type"].split("|")[0] in KIND_OF]  # fmt: skip
    rights: dict[str, list[bool]] = {"wordings": [], "by hand": []}
    cued: dict[str, list[bool]] = {"wordings": [], "by hand": []}
    for at, (text, kind) in enumerate(zip(teacher.texts, teacher.kinds, strict=True)):
        shares = crossed[teacher.numbers[at] % PARTS].shares(text, teacher.vectors[at] / VECTOR)
        rights["wordings"].append(max(shares, key=lambda name: shares[name]) == kind)
        cued["wordings"].append(asked_kind(text) == kind)
    vectors = np.asarray(encoder.encode([text for text, _ in by_hand]))
    for (text, kind), vector in zip(by_hand, vectors, strict=True):
        shares = whole.shares(text, vector)
        rights["by hand"].append(max(shares, key=lambda name: shares[name]) == kind)
        cued["by hand"].append(asked_kind(text) == kind)
    for name, right in rights.items():
        print(f"kinds, {name}, {len(right)} questions: read rightly {np.mean(right):.3f}, by cues "
              f"alone {np.mean(cued[name]):.3f}", flush=True)  # fmt: skip


class Signed(NamedTuple):
    """A question with the signs of the candidates that are read closely, and which of them
    answer."""

    asked: Asked
    signs: list[Signs]
    right: list[bool]


def report(signed: Sequence[Signed], tops: Sequence[tuple[float, bool]], least: float) -> str:
    """What would have been said: none where nothing answers, and false alarms."""
    none = [p < least for a, (p, _) in zip(signed, tops, strict=True) if not any(a.right)]
    there = [(p, ok) for a, (p, ok) in zip(signed, tops, strict=True) if any(a.right)]
    alarm = [p < least for p, _ in there]
    first = [ok for _, ok in there]
    error = expected_calibration_error([p for p, _ in tops], [ok for _, ok in tops])
    return (
        f"none said {np.mean(none):.3f} of {len(none)}, false alarms {np.mean(alarm):.3f} of "
        f"{len(there)}, first right {np.mean(first):.3f}, calibration error {error:.3f}"
    )


def crossed_signs(
    asked: Sequence[Asked], readers: Sequence[SignReader], *, stored: bool
) -> list[Signed]:
    """The signs of each question, what it asks for read by weights that saw other wordings; the
    candidates that are read closely are chosen as a library chooses them."""
    signed = []
    for one in asked:
        reader = readers[one.wording % PARTS]
        some = one.candidates
        if not stored:
            some = [Candidate(c.id, c.text) for c in some]
        places = reader.nearest(one.question, some)[:SEEN]
        signed.append(
            Signed(
                one,
                reader.read(one.question, [some[at] for at in places]),
                [one.right[at] for at in places],
            )
        )
    return signed


def tell_crossed(signed: Sequence[Signed], named: Sequence[str]) -> None:
    """Weights that saw other foci, measured."""
    tops: list[tuple[float, bool]] = [(0.0, False)] * len(signed)
    for train, test in GroupKFold(5).split(signed, groups=[one.asked.group for one in signed]):
        head = weighed([signed[at] for at in train], named, RIDGE)
        for at in test:
            values = [head.probability(s) for s in signed[at].signs]
            best = int(np.argmax(values))
            tops[at] = (values[best], signed[at].right[best])
    for least in (0.3, 0.5):
        print(f"  below {least}: {report(signed, tops, least)}", flush=True)
    for source in ("wordings", "titles", "people"):
        own = [at for at, one in enumerate(signed) if one.asked.source == source]
        part = report([signed[at] for at in own], [tops[at] for at in own], 0.5)
        print(f"    {source}: {part}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--library", type=Path, default=Path("demo/library"))
    parser.add_argument("--memory", type=Path, help="Where vectors are kept for the next time.")
    given = parser.parse_args()
    rows, texts, encoder = read(given.data), Texts(), load_encoder()
    chinese_encoder = load_encoder(CHINESE_ENCODER)
    table = tables(rows, mesh_names(given.data), texts)
    spoken = [text for name in CHINESE for text, _ in chinese(given.data, name).about.values()]
    table = msgspec.structs.replace(
        table,
        encoder=encoder.fingerprint,
        chinese=chinese_encoder.fingerprint,
        rarity=table.rarity | character_weights(spoken),
    )
    papers = titles(given.data)
    teacher = KindTeacher(rows, [pair.question for pair in papers][:200], encoder)
    quick = load_encoder("osler-static")
    asked = medquad_lists(rows, texts, quick, 0) + title_lists(papers, texts, quick, 0)
    asked += people_lists(rows, papers, texts, quick)
    print(Counter((a.source, a.way, any(a.right)) for a in asked), flush=True)
    memory = VectorMemory(given.memory) if given.memory else None
    tables_of = [
        teacher.of(frozenset(n for n in teacher.numbers if n % PARTS == part))
        for part in range(PARTS)
    ]
    tell_kinds(teacher, tables_of, encoder)
    crossed = [msgspec.structs.replace(table, asked=own) for own in tables_of]
    table = msgspec.structs.replace(table, asked=teacher.of(frozenset()))
    held = {name: make() for name, make in collections(given.data, given.library).items()}
    whole = Concepts.beside(held["library"].known, terminology_of(names_in(held["medquad"].pairs)))
    heads: dict[str, Weighed] = {}
    lists: dict[str, list[Signed]] = {}
    vectors = TextVectors([encoder], table.encoders, memory=memory)
    none = TextVectors([], ())
    for stored in (True, False):
        for encoded in (True, False):
            signed = []
            for terms in (Concepts.beside(None), whole):
                readers = [SignReader(texts, concepts=terms, table=own) for own in crossed]
                for reader in readers:
                    # The same texts with and without stored questions: they are read once.
                    reader.vectors = vectors if encoded else none
                signed += crossed_signs(asked, readers, stored=stored)
            named = names_of(stored=stored, encoder=encoded)
            name = head_name(stored=stored, encoder=encoded)
            print(name)
            tell_crossed(signed, named)
            if stored:
                lists[name] = signed
            else:
                heads[name] = weighed(signed, named, RIDGE)
    reads: list[tuple[list[Encoder], str]]
    reads = [([encoder], "en"), ([], "en"), ([chinese_encoder], "zh"), ([], "zh")]
    for encoders, language in reads:
        of_lists = lists[head_name(stored=True, encoder=bool(encoders))]
        if language == "zh" and encoders:
            # The cosines of two encoders mean different things: English lists teach nothing here.
            of_lists = []
        name, head = by_people(table, of_lists, held, encoders, language, memory)
        heads[name] = head
        print(name, head.weights, head.bias, flush=True)
    table = msgspec.structs.replace(table, heads=heads)
    given.out.write_bytes(msgspec.json.encode(table))


if __name__ == "__main__":
    main()
