"""What askers say and what answerers say to it, learned from pairs: two maps into one space.

Questions and answers use different words ("I feel sick after meals", "gastritis; avoid spices").
Texts are tf-idf over words and pieces, brought to ``WIDE`` dimensions by their singular vectors;
regularised canonical correlation (Hotelling 1936) then turns both sides so that a question and its
own answer meet. Where torch is installed the two maps go on from there and learn to tell the true
answer from the others of its department (a softmax over each batch, both ways).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from osler.kinds import Pair
from osler.learn.seeds import Rng
from osler.match.lexicon import Lexicon
from osler.match.matcher import Progress
from osler.match.texts import Kept
from osler.stopping import check_stopped

Matrix = NDArray[np.float32]
Table = NDArray[np.floating[Any]]
WIDE = 200
RIDGE = 0.02
EPOCHS, BATCH, RATE, DROP = 6, 96, 0.003, 0.3


class Alignment:
    """``question`` and ``answer`` map a text's weighted terms (a row a term) to one space."""

    def __init__(self, lexicons: Sequence[Lexicon], question: Table, answer: Table) -> None:
        self.lexicons = list(lexicons)
        self.question, self.answer = question, answer
        self.starts = np.cumsum([0, *(len(lexicon) for lexicon in self.lexicons)])
        self.ask = Kept(lambda text: self._vector(text, self.question))
        self.tell = Kept(lambda text: self._vector(text, self.answer))

    @classmethod
    def fit(
        cls,
        lexicons: Sequence[Lexicon],
        pairs: Sequence[Pair],
        *,
        basis: Matrix | None = None,
        tune: bool = True,
        seed: int = 0,
        progress: Progress | None = None,
    ) -> Self:
        """``basis`` is what :func:`singular` gives for the pairs' texts, or for more texts: it
        knows nothing of which answer belongs to which question."""
        rng = np.random.default_rng(seed)
        if basis is None:
            texts = [text for pair in pairs for text in (pair.question, pair.answer)]
            basis = singular(lexicons, texts, seed=seed)
        asked = _matrix(lexicons, [pair.question for pair in pairs])
        answers = _matrix(lexicons, [pair.answer for pair in pairs])
        left, right = asked @ basis, answers @ basis
        turn_left, turn_right = canonical(left, right)
        question = (basis @ turn_left).astype(np.float32)
        answer = (basis @ turn_right).astype(np.float32)
        if tune and len(pairs) >= 4 * BATCH:
            question, answer = _tuned(asked, answers, question, answer, pairs, rng, progress)
        return cls(lexicons, question, answer)

    def _row(self, text: str) -> tuple[Any, Any]:
        ids, weights = [], []
        for start, lexicon in zip(self.starts, self.lexicons, strict=False):
            row = lexicon.row(text)
            ids.append(row.ids + start)
            weights.append(row.weights)
        return np.concatenate(ids), np.concatenate(weights)

    def _vector(self, text: str, table: Table) -> Matrix:
        ids, weights = self._row(text)
        # A saved map stays in half its width in memory; only the rows of a text are widened.
        summed = weights.astype(np.float32) @ table[ids].astype(np.float32)
        return np.asarray(summed / max(float(np.linalg.norm(summed)), 1e-9), np.float32)

    def cosine(self, question: str, answers: Sequence[str]) -> NDArray[np.float64]:
        if not answers:
            return np.zeros(0)
        answer_vectors = np.stack([self.tell(text) for text in answers])
        return np.asarray(answer_vectors @ self.ask(question), np.float64)

    def state(self) -> dict[str, Any]:
        return {
            "align.question": self.question.astype(np.float16),
            "align.answer": self.answer.astype(np.float16),
        }

    @classmethod
    def restore(cls, lexicons: Sequence[Lexicon], tensors: Mapping[str, Any]) -> Self:
        question, answer = (np.asarray(tensors[f"align.{side}"]) for side in ("question", "answer"))
        return cls(lexicons, question, answer)


def _matrix(lexicons: Sequence[Lexicon], texts: Sequence[str]) -> Any:
    """The texts' weighted terms as sparse rows, the lexicons beside each other."""
    from scipy import sparse

    blocks = []
    for lexicon in lexicons:
        rows = lexicon.rows(texts)
        shape = (len(texts), len(lexicon))
        weights = rows.weights.astype(np.float32)
        blocks.append(sparse.csr_matrix((weights, (rows.owner, rows.ids)), shape))
    return sparse.hstack(blocks).tocsr()


def singular(
    lexicons: Sequence[Lexicon], texts: Sequence[str], *, wide: int = WIDE, seed: int = 0
) -> Matrix:
    """Right singular vectors of the texts' rows, by random projection (Halko et al. 2011)."""
    rng = np.random.default_rng(seed)
    rows = _matrix(lexicons, texts)
    across = rows.T.tocsr()
    wide = max(1, min(wide, len(texts) // 2 - 1, rows.shape[1] - 1))
    sketch = rows @ rng.normal(size=(rows.shape[1], wide + 20)).astype(np.float32)
    sketch, _ = np.linalg.qr(rows @ (across @ sketch))
    small = (across @ sketch).T
    _, _, right = np.linalg.svd(small, full_matrices=False)
    return np.ascontiguousarray(right[:wide].T, dtype=np.float32)


def canonical(left: Any, right: Any, ridge: float = RIDGE) -> tuple[Any, Any]:
    """Maps that turn both sides to their common directions, each by the root of its correlation."""
    left, right = left - left.mean(0), right - right.mean(0)
    width = left.shape[1]

    def whitener(rows: Any) -> Any:
        spread = rows.T @ rows / len(rows)
        spread += np.eye(width) * (ridge * np.trace(spread) / width + 1e-9)
        return np.linalg.inv(np.linalg.cholesky(spread)).T

    white_left, white_right = whitener(left), whitener(right)
    cross = (left @ white_left).T @ (right @ white_right) / len(left)
    first, strength, second = np.linalg.svd(cross)
    root = np.sqrt(strength)
    return white_left @ first * root, white_right @ second.T * root


def _tuned(
    asked: Any,
    answers: Any,
    question: Matrix,
    answer: Matrix,
    pairs: Sequence[Pair],
    rng: Rng,
    progress: Progress | None,
) -> tuple[Matrix, Matrix]:
    """The two maps after learning to tell answers of one department apart; as they were where
    torch is not installed."""
    from osler.errors import MissingExtra
    from osler.learn import needs

    try:
        torch = needs.torch()
    except MissingExtra:
        return question, answer
    from torch.nn.functional import cross_entropy, embedding_bag, normalize

    torch.manual_seed(int(rng.integers(2**31)))
    tables = [torch.nn.Parameter(torch.from_numpy(side.copy())) for side in (question, answer)]
    scale = torch.nn.Parameter(torch.tensor(10.0))
    sparse_step = torch.optim.SparseAdam(tables, lr=RATE)
    scale_step = torch.optim.Adam([scale], lr=0.05)
    departments = np.unique([pair.department for pair in pairs], return_inverse=True)[1]

    def side(rows: Any, table: Any) -> Any:
        weights = torch.from_numpy(rows.data.astype(np.float32))
        # Dropped terms keep a text from being known by one rare word.
        weights = weights * (torch.rand(len(weights)) > DROP) / (1 - DROP)
        bags = embedding_bag(
            torch.from_numpy(rows.indices.astype(np.int64)),
            table,
            torch.from_numpy(rows.indptr[:-1].astype(np.int64)),
            mode="sum",
            sparse=True,
            per_sample_weights=weights,
        )
        return normalize(bags, dim=1)

    for epoch in range(1, EPOCHS + 1):
        order = rng.permutation(len(pairs))
        order = order[np.argsort(departments[order], kind="stable")]
        starts = rng.permutation(np.arange(0, len(order), BATCH))
        total = 0.0
        for start in starts.tolist():
            check_stopped()
            rows = order[start : start + BATCH]
            if len(rows) < 8:
                continue
            like = scale * side(asked[rows], tables[0]) @ side(answers[rows], tables[1]).T
            aim = torch.arange(len(rows))
            loss = cross_entropy(like, aim) + cross_entropy(like.T, aim)
            sparse_step.zero_grad()
            scale_step.zero_grad()
            loss.backward()
            sparse_step.step()
            scale_step.step()
            total += float(loss.detach())
        if progress:
            progress(f"alignment: epoch {epoch} of {EPOCHS}, loss {total / len(starts):.3f}")
    return tables[0].detach().numpy(), tables[1].detach().numpy()
