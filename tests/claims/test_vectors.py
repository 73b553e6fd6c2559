"""What vectors of sentences say to a question, and where they have no say."""

from __future__ import annotations

import math
from collections.abc import Iterator

import msgspec
import numpy as np
import pytest

from osler.claims import vectors
from osler.claims.examples import Prompt, Question, kind_of, prompt_claims, trial_examples
from osler.claims.heads import LinearHead, softmax
from osler.claims.judge import stance
from osler.claims.teach import teach_side, teach_vectors
from osler.claims.vectors import PLACES, vector_features, vector_scores
from osler.claims.weights import shipped
from osler.text.model_folder import SMALL
from osler.text.model_folder import shipped as weights_of


@pytest.fixture
def with_encoder(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The package's own encoder, which other tests do without."""
    monkeypatch.setenv("OSLER_WEIGHTS", "")
    if weights_of(SMALL) is None:
        pytest.skip("the encoder's weights are not in this checkout")
    vectors.forget()
    yield
    monkeypatch.undo()
    vectors.forget()


needs_weights = pytest.mark.usefixtures("with_encoder")
SENTENCES = ("We treated them.", "Zinc made no difference to colds.", "More work is needed.")
ASKED = "Does zinc shorten colds?"


@needs_weights
def test_the_first_the_nearest_and_the_last_sentence_are_looked_at() -> None:
    features = vector_features(ASKED, " ".join(SENTENCES), None)
    size = (len(features) - 1) // len(PLACES)
    parts = {name: [features[f"{name} {at}"] for at in range(size)] for name in PLACES}
    for name, sentence in zip(PLACES, SENTENCES, strict=True):
        alone = vector_features(ASKED, sentence, None)
        assert parts[name] == pytest.approx([alone[f"first {at}"] for at in range(size)], abs=1e-3)
        assert math.hypot(*parts[name]) == pytest.approx(1.0, abs=1e-3)
    assert features["bias"] == 1.0


@needs_weights
def test_a_language_that_the_encoder_does_not_read_has_no_vectors() -> None:
    assert vector_features("锌能缩短感冒吗？", "锌缩短了感冒。", None) == {}
    assert vector_features(ASKED, "锌缩短了感冒。", None) == {}
    assert vector_scores("锌能缩短感冒吗？", "锌缩短了感冒。", shipped()).tolist() == [
        0.0,
        0.0,
        0.0,
    ]


def test_without_the_encoder_the_other_heads_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "_encoder", lambda: None)
    assert vectors.fingerprint() == ""
    assert vector_features(ASKED, SENTENCES[1], None) == {}
    assert vector_scores(ASKED, SENTENCES[1], shipped()).tolist() == [0.0, 0.0, 0.0]
    told = stance(ASKED, "Zinc did not shorten colds.")
    assert told.refutes > told.supports


@needs_weights
def test_a_head_of_another_encoder_is_not_asked() -> None:
    assert vector_scores(ASKED, SENTENCES[1], shipped()).any()
    other = msgspec.structs.replace(shipped(), encoder="another")
    assert vector_scores(ASKED, SENTENCES[1], other).tolist() == [0.0, 0.0, 0.0]


@needs_weights
def test_the_scores_of_both_heads_are_added_where_one_text_is_asked() -> None:
    """A head that is sure of "no" whatever it reads turns an answer; a search does not hear it."""
    heads = shipped()
    text = "Zinc shortened colds."
    sure = LinearHead(heads.answer.classes, {"bias": (-9.0, 9.0, -9.0)})
    turned = msgspec.structs.replace(heads, vectors=sure)
    none = msgspec.structs.replace(heads, vectors=LinearHead(heads.answer.classes, {}))
    assert stance(ASKED, text, weights=none).supports > 0.5
    disagreed = stance(ASKED, text, weights=turned)
    assert disagreed.refutes > disagreed.supports
    for one in (turned, none):
        assert stance(ASKED, text, weights=one, searched=True) == stance(
            ASKED, text, weights=heads, searched=True
        )


@needs_weights
def test_of_a_claim_a_denial_turns_what_the_vectors_say() -> None:
    heads = shipped()
    lean = LinearHead(heads.answer.classes, {"bias": (2.0, -2.0, 0.0)})
    leaning = msgspec.structs.replace(heads, vectors=lean)
    none = msgspec.structs.replace(heads, vectors=LinearHead(heads.answer.classes, {}))
    text = "Zinc was tried for colds."
    for claim, more in (("Zinc shortens colds.", True), ("Zinc does not shorten colds.", False)):
        with_it, without = (stance(claim, text, weights=one) for one in (leaning, none))
        shares = [one.supports / (one.supports + one.refutes) for one in (with_it, without)]
        assert (shares[0] > shares[1]) == more
        assert shares[0] != pytest.approx(shares[1], abs=1e-3)


@needs_weights
def test_what_was_taught_by_findings_knows_others() -> None:
    drugs = ("aspirin", "zinc", "ginkgo", "honey", "garlic", "ginger")
    asked = [
        Question(f"{n} {word}", f"Does {drug} help?", (), conclusion, word)
        for n, drug in enumerate(drugs)
        for word, conclusion in (
            ("yes", f"{drug.capitalize()} worked very well in all patients."),
            ("no", f"We saw nothing at all from {drug}, a useless remedy."),
        )
    ]
    head = teach_vectors(asked, None)
    for text, at in (
        ("Menthol worked very well in all children.", 0),
        ("We saw nothing at all from menthol, a useless herb.", 1),
    ):
        scores = head.scores(vector_features("Does menthol help?", text, None))
        assert softmax(scores)[:2].argmax() == at


def test_kinds_of_claims() -> None:
    prompt = Prompt("zinc", "placebo", "colds", ("Zinc shortened colds.",), "decreased", "1")
    claims = prompt_claims(prompt)
    assert [kind_of(claim) for claim, _ in claims] == ["increases", "reduces", "has no effect on"]
    assert [side for _, side in claims] == ["refutes", "supports", "refutes"]
    assert kind_of("Does zinc help? ") == "asks"
    assert kind_of("Zinc helps.") == ""


def test_how_many_of_a_kind_were_refuted_teaches_nothing() -> None:
    """Two of three claims of more are refuted in this teaching; a text that says nothing of it
    leaves such a claim at a half."""
    texts = ["The drug increased pain."] + ["The drug did not increase pain."] * 2
    labels = ["increased", "no difference", "no difference"]
    prompts = [
        Prompt("the drug", "", "pain", (text,), label, str(n))
        for n, (text, label) in enumerate(zip(texts * 6, labels * 6, strict=True))
    ]
    head = teach_side(trial_examples(prompts), None)
    bare = {"bias": 1.0, "claim signed": 1.0}
    assert head.probabilities(bare)[0] == pytest.approx(0.5, abs=0.03)


def test_softmax_of_large_scores() -> None:
    assert softmax(np.asarray([1000.0, 1000.0])).tolist() == [0.5, 0.5]
    assert softmax(np.asarray([0.0, math.log(3)])).tolist() == pytest.approx([0.25, 0.75])
