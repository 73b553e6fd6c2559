"""A head of one's own: what it learns, how it is kept, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from osler.claims.files import judge_file, labelled
from osler.claims.own import SIDES, Features, Labelled, fit_own, load_own, teach_own
from osler.errors import InputError


class Letters:
    """An encoder of letters counted: enough to tell texts apart."""

    dimension = 26
    fingerprint = "letters"

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        rows = [[text.lower().count(chr(97 + n)) + 0.1 for n in range(26)] for text in texts]
        return np.asarray(rows, dtype=np.float32)


DRUGS = ("Losartan", "Metformin", "Aspirin", "Colchicine", "Warfarin", "Digoxin", "Heparin")
ENDS = ("stroke", "mortality", "pain", "fever", "falls")


def rows() -> list[Labelled]:
    made = []
    for drug in DRUGS:
        for end in ENDS:
            claim = f"{drug} reduces {end}"
            made.append(Labelled(claim, f"{drug} significantly reduced {end}.", "supports"))
            made.append(Labelled(claim, f"{drug} did not reduce {end} at all.", "refutes"))
            made.append(Labelled(claim, f"We describe how {drug} is made.", "neutral"))
    return made


def test_a_taught_head_tells_sides_of_claims_that_it_has_not_seen(tmp_path: Path) -> None:
    encoder = Letters()
    head = teach_own(rows(), encoder)  # type: ignore[arg-type]
    assert head.taught_by == len(rows())
    asked = "Ibuprofen reduces cough"
    texts = ("Ibuprofen significantly reduced cough.", "Ibuprofen did not reduce cough at all.")
    told = head.judge([(asked, text) for text in texts], encoder)  # type: ignore[arg-type]
    assert [one.stance for one in told] == ["supports", "refutes"]
    for one in told:
        assert one.supports + one.refutes + one.neutral == pytest.approx(1.0, abs=1e-6)
    place = tmp_path / "head.json"
    head.save(place)
    assert load_own(place) == head


def test_the_weights_are_where_the_loss_is_least() -> None:
    """Against scikit-learn on scaled features: the same loss, another solver."""
    linear = pytest.importorskip("sklearn.linear_model", reason="needs scikit-learn")
    draw = np.random.default_rng(0)
    matrix = draw.normal(size=(120, 6)) * [1, 2, 5, 0.1, 1, 1] + 3.0
    labels = [SIDES[int(n)] for n in (matrix[:, 0] > 3).astype(int) + (matrix[:, 1] > 4)]
    blocks = [2, 4]
    head = fit_own(matrix, labels, blocks, strength=0.5)
    width = np.repeat(np.sqrt([2.0, 4.0]), blocks)
    scaled = (matrix - matrix.mean(0)) / matrix.std(0) / width
    peer = linear.LogisticRegression(C=0.5, class_weight="balanced", tol=1e-8, max_iter=5_000)
    peer.fit(scaled, labels)
    order = [list(peer.classes_).index(side) for side in SIDES]
    expected = peer.predict_proba(scaled)[:, order]
    assert np.abs(head.probabilities(matrix) - expected).max() < 2e-3


def test_a_constant_feature_does_no_harm() -> None:
    matrix = np.hstack([np.ones((60, 1)), np.arange(60.0)[:, None] % 3])
    labels = [SIDES[n % 3] for n in range(60)]
    head = fit_own(matrix, labels, [1, 1])
    assert head.scale[0] == 0.0
    assert np.isfinite(head.probabilities(matrix)).all()


def test_the_nearest_sentence_is_found() -> None:
    features = Features(Letters())  # type: ignore[arg-type]
    text = "Zzz zzz. Aspirin reduced pain."
    row = features.rows([("Aspirin reduced pain", text)])[0]
    start = len(features.names)
    assert sum(features.blocks) == len(row)
    most, mean, last = row[start : start + 3]
    assert most == last
    assert mean < most
    assert most > 0.95


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ([Labelled("a reduces b", "a reduced b", "perhaps")] * 40, "'perhaps' is no side"),
        ([Labelled("a reduces b", "a reduced b", "supports")] * 40, "two sides"),
        (rows()[:29], "30 labelled claims"),
    ],
)
def test_what_teaches_nothing_is_refused(given: list[Labelled], why: str) -> None:
    with pytest.raises(InputError, match=why):
        teach_own(given, Letters())  # type: ignore[arg-type]


def test_another_encoder_is_refused() -> None:
    head = teach_own(rows(), Letters())  # type: ignore[arg-type]
    other = Letters()
    other.fingerprint = "others"
    with pytest.raises(InputError, match="another encoder"):
        head.judge([("a reduces b", "a reduced b")], other)  # type: ignore[arg-type]


def test_files_teach_and_are_judged(tmp_path: Path) -> None:
    place = tmp_path / "labelled.jsonl"
    lines = [json.dumps({"claim": r.claim, "text": r.text, "label": r.label}) for r in rows()]
    place.write_text("\n".join([*lines, "{}", "no json", ""]), encoding="utf-8")
    read, rejects = labelled(place)
    assert read == rows()
    assert [one.place for one in rejects] == [f"line {len(lines) + 1}", f"line {len(lines) + 2}"]
    head = teach_own(read, Letters())  # type: ignore[arg-type]
    asked = tmp_path / "claims.jsonl"
    text = "Ibuprofen was sold. Ibuprofen did not reduce cough at all."
    asked.write_text(
        json.dumps({"id": "1", "claim": "Ibuprofen reduces cough", "text": text}) + "\n",
        encoding="utf-8",
    )
    out = tmp_path / "out.jsonl"
    assert judge_file(asked, out, own=(head, Letters())).judged == 1  # type: ignore[arg-type]
    told = json.loads(out.read_text("utf-8"))
    assert told["stance"] == "refutes"
    assert told["sentence"] == "Ibuprofen did not reduce cough at all."
    with pytest.raises(InputError, match="no head"):
        load_own(asked)
    with pytest.raises(InputError, match="no file"):
        labelled(tmp_path / "none.jsonl")
