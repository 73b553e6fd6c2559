"""KImp labels (appendix A.2.1): how much of a paper's subject the fact is.

Three ways. ``lda``: gensim's latent Dirichlet allocation gives each word of a paper a probability.
"Each literature is considered to discuss one independent subject": as many topics as papers, and
passes until each paper has its own; with few topics the words of one subject stand for another's.
``frequency`` is where that ends: a word's probability is its share of the paper, title, keywords
and first sentence counting more. Both are renormalised over a paper's top words, for plain
probabilities never reach the published thresholds; those of head, relation and tail are added.
``coverage``, our default: which of title, first sentence and keywords name the two entities (the
statistic of appendix A.4), which agrees best with the sample.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from osler.errors import ChoiceError, MissingExtra
from osler.grade.features import features
from osler.grade.fragments import TOP_WORDS
from osler.grade.pair import Pair
from osler.text.chinese import segment
from osler.text.language import language
from osler.text.stopwords import STOPWORDS
from osler.text.tokens import terms

Way = Literal["coverage", "frequency", "lda"]
WAYS = ("coverage", "frequency", "lda")
THRESHOLDS = (0.5, 0.15, 0.05)
"""Appendix A.4: from here on Imp, P-imp, M-imp; below U-imp."""
PASSES = 50
MOST_TOPICS = 500
"""A topic has a number for each word: one for each paper of a large library would not fit."""
TITLE, KEYWORD, FIRST = 5.0, 3.0, 2.0
"""How often a word of these parts counts, for ``frequency``: where a subject's words stand."""


def level(probability: float) -> int:
    """3 Imp, 2 P-imp, 1 M-imp, 0 U-imp by the published thresholds."""
    for place, least in enumerate(THRESHOLDS):
        if probability >= least:
            return 3 - place
    return 0


def kimp_levels(
    pairs: Sequence[Pair], *, way: Way = "coverage", topics: int | None = None, seed: int = 0
) -> list[int]:
    """KImp of each pair, 3 to 1 (``coverage``) or 3 to 0; ``topics`` of ``lda`` are as many as
    papers where not given."""
    if way == "coverage":
        from osler.grade.methods.rule import levels

        return levels(features(pairs))[1]
    if way not in WAYS:
        raise ChoiceError("way to label KImp", way, WAYS)
    names = frozenset(name for pair in pairs for name in (*pair.fact.heads, *pair.fact.tails))
    papers: dict[str, dict[str, float]] = {}
    for pair in pairs:
        papers.setdefault(pair.text, _counts(pair, names, weighted=way == "frequency"))
    likely = papers if way == "frequency" else _lda(papers, topics=topics, seed=seed)
    return [level(fact_probability(pair, likely[pair.text])) for pair in pairs]


def fact_probability(pair: Pair, weights: dict[str, float], *, top: int = TOP_WORDS) -> float:
    """The subject probability of a fact: those of head, relation and tail added up, over the
    paper's ``top`` words (and the three, so that the sum stays within 1)."""
    parts = [_key(pair.fact.head), _key(pair.fact.relation), _key(pair.fact.tail)]
    best = sorted(weights, key=lambda word: (-weights[word], word))[:top]
    own = {part: weights.get(part, 0.0) for part in parts}
    total = sum(weights[word] for word in best if word not in own) + sum(own.values())
    return sum(own.values()) / total if total else 0.0


def subject_words(pair: Pair, names: frozenset[str] = frozenset()) -> dict[str, float]:
    """A paper's words with their shares, wherever they stand: for the coverage of sentences."""
    counts = _counts(pair, names, weighted=False)
    total = sum(counts.values()) or 1.0
    return {word: count / total for word, count in counts.items()}


def _key(name: str) -> str:
    return " ".join(terms(name)) if language(name) != "zh" else name


def _words(text: str, names: frozenset[str]) -> list[str]:
    if language(text) == "zh":
        return [token.text for token in segment(text, names) if len(token.text) > 1]
    words = [term for term in terms(text) if term not in STOPWORDS and len(term) > 2]
    # Names of several words count as one word, as the paper's segmenter has them.
    joined = f" {' '.join(terms(text))} "
    for name in names:
        key = _key(name)
        if " " in key:
            words += [key] * joined.count(f" {key} ")
    return words


def _counts(pair: Pair, names: frozenset[str], *, weighted: bool) -> dict[str, float]:
    own = names if language(pair.text) == "zh" else frozenset((*pair.fact.heads, *pair.fact.tails))
    places = pair.places
    first = places.sentence(places.first) if places.first is not None else ""
    rest = pair.abstract.replace(first, "", 1)
    parts = (
        (pair.title, TITLE),
        (first, FIRST),
        (rest, 1.0),
        (" ; ".join(pair.keywords), KEYWORD),
    )
    counts: dict[str, float] = {}
    for text, weight in parts:
        for word in _words(text, own):
            counts[word] = counts.get(word, 0.0) + (weight if weighted else 1.0)
    return counts


def _lda(
    papers: dict[str, dict[str, float]], *, topics: int | None, seed: int
) -> dict[str, dict[str, float]]:
    """p(word | paper) = sum over topics of p(topic | paper) p(word | topic), for its own words."""
    try:
        from gensim.corpora import Dictionary
        from gensim.models import LdaModel
    except ImportError:
        raise MissingExtra("a topic model (gensim)", "neural") from None
    texts = list(papers)
    words = [[w for w, n in papers[text].items() for _ in range(int(n))] for text in texts]
    dictionary = Dictionary(words)
    bags = [dictionary.doc2bow(one) for one in words]
    model = LdaModel(
        bags,
        num_topics=topics or min(MOST_TOPICS, max(2, len(texts))),
        id2word=dictionary,
        # One chunk: a topic moves only when all papers have been seen.
        chunksize=len(bags),
        passes=PASSES,
        eval_every=None,
        random_state=seed,
    )
    by_topic = model.get_topics()
    by_paper = {}
    for text, bag in zip(texts, bags, strict=True):
        shares = model.get_document_topics(bag, minimum_probability=0.0)
        chances = sum(share * by_topic[topic] for topic, share in shares)
        by_paper[text] = {dictionary[id]: float(chances[id]) for id, _ in bag} if bag else {}
    return by_paper
