"""BM25 over words: jieba's with the graph's names in Chinese, stems in English."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

from osler.kinds import Pair, Reason, ScoreParts
from osler.match.lexicon import Cut, Lexicon
from osler.match.matcher import Candidate, Floats, Matcher, Progress, State, matchers


@matchers.register("bm25")
class BM25(Matcher):
    """Fitted, it knows how rare a word is among all answers; else among the candidates."""

    name = "bm25"
    help = "BM25 over words"

    lexicon: Lexicon | None = None

    @property
    def cut(self) -> Cut:
        return self.sources.texts.words

    def fit(self, pairs: Sequence[Pair], *, progress: Progress | None = None) -> Self:
        self.lexicon = Lexicon.build(self.cut, dict.fromkeys(pair.answer for pair in pairs))
        return self

    def scores(self, question: str, candidates: Sequence[Candidate]) -> Floats:
        texts = [candidate.text for candidate in candidates]
        lexicon = self.lexicon or Lexicon.build(self.cut, [*texts, question])
        return lexicon.bm25(lexicon.row(question), lexicon.rows(texts))

    def explain(self, question: str, candidate: Candidate) -> tuple[Reason, ...]:
        """The words that gave the score."""
        lexicon = self.lexicon or Lexicon.build(self.cut, [candidate.text, question])
        asked, answer = lexicon.row(question), lexicon.rows([candidate.text])
        values = lexicon.looked_up(asked.ids, asked.counts * lexicon.idf[asked.ids], answer)
        values = values * lexicon.saturated(answer)
        order = sorted(range(len(values)), key=lambda at: (-values[at], int(answer.ids[at])))
        parts = {
            lexicon.vocabulary[int(answer.ids[at])]: float(values[at])
            for at in order[:12]
            if values[at] > 0
        }
        return (ScoreParts(parts, parts),) if parts else ()

    def state(self) -> State:
        return self.lexicon.state("terms") if self.lexicon else ({}, {})

    def restore(self, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        if "terms" in config:
            self.lexicon = Lexicon.restore(self.cut, "terms", tensors, config)
        return self
