"""Chinese questions of another site: the default learned on one set, measured on the other.

    python benchmarks/match_sites.py --data DIR [--train 800] [--questions 400] [--encoder]

Five false answers from the whole of the other set. Beside it stand character bigrams by idf (their
cosine, and BM25) and the untrained default. ``--encoder`` gives the default the Chinese encoder
(osler fetch bge-small-zh) and measures that alone too.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np

from osler.kinds import Pair
from osler.match.default import Default
from osler.match.known import Known
from osler.match.matcher import Matcher, Sources, matchers
from osler.match.splits import CandidateList, candidate_lists
from osler.match.texts import Texts
from osler.measures.significance import bootstrap
from osler.text.encoder import Encoder, load_encoder
from osler_papers.recipes.match_experiment import qa_pairs, read_graph

SETS = ("toyhom", "huatuo")
FALSE = 5


def some(pairs: list[Pair], count: int, seed: int) -> list[Pair]:
    """Pairs at random, without departments: the two sites have none in common."""
    rng = np.random.default_rng(seed)
    chosen = sorted(rng.permutation(len(pairs))[:count].tolist())
    return [Pair(id=pairs[at].id, question=pairs[at].question, answer=pairs[at].answer)
            for at in chosen]  # fmt: skip


def first(scores: np.ndarray, one: CandidateList) -> float:
    """Whether the true answer stands first; a tie counts against it."""
    true = next(at for at, c in enumerate(one.candidates) if c.id == one.true)
    return float((np.delete(scores, true) < scores[true]).all())


def by_matcher(matcher: Matcher, lists: list[CandidateList]) -> list[float]:
    return [first(np.asarray(matcher.scores(one.question, one.candidates)), one) for one in lists]


def by_idf(lists: list[CandidateList]) -> list[float]:
    """The cosine of character bigrams by idf, over the texts of the other site."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    texts = [text for one in lists for text in (one.question, *(c.text for c in one.candidates))]
    table = TfidfVectorizer(analyzer="char", ngram_range=(2, 2), sublinear_tf=True).fit(texts)
    return [
        first((table.transform([c.text for c in one.candidates])
               @ table.transform([one.question]).T).toarray().ravel(), one)
        for one in lists
    ]  # fmt: skip


def by_encoder(encoder: Encoder, lists: list[CandidateList]) -> list[float]:
    found = []
    for one in lists:
        rows = np.asarray(encoder.encode([one.question, *(c.text for c in one.candidates)]))
        found.append(first(rows[1:] @ rows[0], one))
    return found


def measured(known: Known, learn: list[Pair], lists: list[CandidateList], encoder: Encoder | None
             ) -> dict[str, list[float]]:  # fmt: skip
    sources = Sources(texts=Texts(known.names), known=known, load_encoder=lambda: encoder)
    rows = {
        "default, trained on the other site": by_matcher(Default(sources).fit(learn), lists),
        "default, untrained": by_matcher(Default(sources), lists),
        "bigrams by idf": by_idf(lists),
        "BM25, bigrams": by_matcher(matchers.get("bm25-bigrams")(sources), lists),
    }
    if encoder is not None:
        rows["encoder alone"] = by_encoder(encoder, lists)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--train", type=int, default=800)
    parser.add_argument("--questions", type=int, default=400)
    parser.add_argument("--from", dest="site", default="", choices=("", *SETS))
    parser.add_argument("--encoder", action="store_true")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    encoder = load_encoder("bge-small-zh") if given.encoder else None
    pairs = {name: qa_pairs(given.data / f"qa_zh_{name}" / "qa.jsonl.gz") for name in SETS}
    with tempfile.TemporaryDirectory() as cache:
        known = read_graph([given.data / "kg_zh" / "triples.tsv.gz"], Path(cache), print)
    for learned, asked in (SETS, SETS[::-1]):
        if given.site not in ("", learned):
            continue
        used = time.process_time()
        lists = candidate_lists(some(pairs[asked], given.questions, given.seed), FALSE)
        rows = measured(known, some(pairs[learned], given.train, given.seed), lists, encoder)
        print(f"learned on {given.train} pairs of {learned}, asked of {len(lists)} of {asked}"
              f" ({time.process_time() - used:.0f} s)")  # fmt: skip
        dumb = rows["bigrams by idf"]
        for name, values in rows.items():
            told = ""
            if values is not dumb:
                against = bootstrap(values, dumb)
                told = f" ({against.mean:+.4f} [{against.low:+.4f}, {against.high:+.4f}])"
            print(f"  {name}: P@1 {np.mean(values):.4f}{told}", flush=True)


if __name__ == "__main__":
    main()
