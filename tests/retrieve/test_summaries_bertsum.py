"""BERTSUM: windows, the network, training that learns, models that come back from disk."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from osler.errors import ChoiceError, DamageError, FormatError, InputError, MissingModel  # noqa: E402
from osler.kinds import Document, Section  # noqa: E402
from osler.learn.card import Card, Measured  # noqa: E402
from osler.learn.saved import load_card, save_model  # noqa: E402
from osler.retrieve.summaries import summarise  # noqa: E402
from osler.retrieve.summaries.bertsum import BertSum  # noqa: E402
from osler.retrieve.summaries.network import BertSumNetwork, positions  # noqa: E402
from osler.retrieve.summaries.sentences import body  # noqa: E402
from osler.retrieve.summaries.summarise import (  # noqa: E402
    TRAINED,
    UNTRAINED,
    better_than_lexrank,
)
from osler.retrieve.summaries.training import papers, summary_rouge, train  # noqa: E402
from osler.retrieve.summaries.windows import windows  # noqa: E402

TOPICS = ["saline", "insulin", "aspirin", "statins", "zinc", "iron", "iodine", "steroids"]
PARTS = ["asthma", "gout", "sepsis", "anaemia", "rickets", "goitre", "eczema", "fever"]
NOISE = ["the building was painted in spring", "the forms were kept in a drawer upstairs"]
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "."] + sorted(
    {
        *TOPICS,
        *PARTS,
        *[
            "we",
            "found",
            "that",
            "helped",
            "against",
            "in",
            "conclusion",
            "patients",
            "with",
            "had",
            "less",
        ],
        *" ".join(NOISE).split(),
    }
)


def paper(number: int) -> Document:
    """Three telling sentences among twelve; "found" and "conclusion" mark them."""
    drug, disease = TOPICS[number % 8], PARTS[(number * 3) % 8]
    told = [
        f"We found that {drug} helped against {disease}.",
        f"In conclusion {drug} helped patients with {disease}.",
        f"Patients with {disease} had less {disease} with {drug}.",
    ]
    rest = [f"{NOISE[i % 2].capitalize()}." for i in range(9)]
    order = np.random.default_rng(number).permutation(12)
    body_text = " ".join([*told, *rest][i] for i in order)
    abstract = [*told, f"We found that patients with {disease} had less {disease}."]
    return Document(
        id=f"d{number}",
        title=f"{drug} against {disease}",
        sections=(Section(" ".join(abstract)),),
        full_text=(Section(body_text, "Results"),),
    )


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small BERT with random weights, in the form that Hugging Face folders have."""
    folder = tmp_path_factory.mktemp("encoder")
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY) + "\n")
    torch.manual_seed(0)
    shape = transformers.BertConfig(
        vocab_size=len(VOCABULARY),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    transformers.BertModel(shape).save_pretrained(folder, safe_serialization=True)
    return folder


def test_windows_hold_whole_sentences() -> None:
    packed = windows([[5, 6], [7], [8, 9, 10], list(range(20, 40))], first=1, last=2, width=9)
    assert packed[0].tokens == [1, 5, 6, 2, 1, 7, 2]
    assert packed[0].segments == [0, 0, 0, 0, 1, 1, 1]
    assert packed[0].starts == [0, 4]
    # Segments go on alternating over the border of a window.
    assert packed[1].tokens == [1, 8, 9, 10, 2]
    assert set(packed[1].segments) == {0}
    assert packed[2].tokens == [1, *range(20, 27), 2]
    assert set(packed[2].segments) == {1}
    assert all(len(window.tokens) <= 9 for window in packed)
    assert windows([], first=1, last=2, width=9) == []
    assert windows([[]], first=1, last=2, width=9)[0].tokens == [1, 2]


def test_positions_are_those_of_the_paper() -> None:
    table = positions(3, 4).numpy()
    assert table[0].tolist() == [0, 1, 0, 1]
    assert table[2] == pytest.approx([np.sin(2), np.cos(2), np.sin(0.02), np.cos(0.02)], abs=1e-6)


def test_vectors_do_not_depend_on_how_windows_are_batched(encoder: Path) -> None:
    model = BertSum.fresh(encoder)
    assert isinstance(model.network, BertSumNetwork)
    packed = model.windows([one.clean for one in body(paper(0))])
    assert len(packed) > 1
    with torch.no_grad():
        together = model.network.sentence_vectors(packed, batch=8)
        apart = model.network.sentence_vectors(packed, batch=1)
    assert together.shape == (12, 32)
    assert torch.allclose(together, apart, atol=1e-5)


def test_pooling_by_the_mean_of_tokens(encoder: Path) -> None:
    model = BertSum.fresh(encoder, pooling="mean")
    packed = model.windows(["we found", ""])
    with torch.no_grad():
        states = model.network.encoder(
            input_ids=torch.tensor([packed[0].tokens]),
            attention_mask=torch.ones((1, 6), dtype=torch.long),
            token_type_ids=torch.tensor([packed[0].segments]),
        ).last_hidden_state[0]
        found = model.network.sentence_vectors(packed)
    assert torch.allclose(found[0], states[1:3].mean(dim=0), atol=1e-5)
    assert torch.allclose(found[1], states[4:6].mean(dim=0), atol=1e-5)
    with pytest.raises(ChoiceError):
        BertSum.fresh(encoder, pooling="max")


def test_segments_reach_the_encoder(encoder: Path) -> None:
    model = BertSum.fresh(encoder)
    packed = model.windows(["we found asthma", "we found asthma"])
    flat = [one._replace(segments=[0] * len(one.segments)) for one in packed]
    with torch.no_grad():
        assert not torch.allclose(
            model.network.sentence_vectors(packed), model.network.sentence_vectors(flat)
        )


@pytest.mark.parametrize(("tune", "graded"), [(True, False), (False, True)])
def test_training_learns_to_tell_the_sentences(encoder: Path, tune: bool, graded: bool) -> None:
    documents = [paper(i) for i in range(10)]
    unseen = papers([paper(i) for i in range(20, 24)])
    lines: list[str] = []
    model, card = train(
        documents,
        encoder=encoder,
        tune_encoder=tune,
        graded=graded,
        pooling="mean",
        epochs=15,
        patience=15,
        rate=1e-3,
        layer_rate=1e-3,
        progress=lines.append,
    )
    fresh = BertSum.fresh(encoder, seed=5)
    learned = np.mean([summary_rouge(model, one) for one in unseen])
    before = np.mean([summary_rouge(fresh, one) for one in unseen])
    assert learned > before + 0.1
    assert learned > 0.7
    assert lines
    assert {one.name for one in card.measures} >= {"ROUGE-L F1, trained", "ROUGE-L F1, lead"}
    changed = any(
        not torch.equal(a, b)
        for a, b in zip(
            model.network.encoder.parameters(),
            BertSum.fresh(encoder).network.encoder.parameters(),
            strict=True,
        )
    )
    assert changed == tune


def test_training_twice_gives_the_same_model(encoder: Path) -> None:
    documents = [paper(i) for i in range(4)]
    made = [train(documents, encoder=encoder, tune_encoder=False, epochs=2)[0] for _ in range(2)]
    first, second = (model.scores(documents[0], body(documents[0])) for model in made)
    assert np.array_equal(first, second)


def test_a_model_comes_back_from_disk(encoder: Path, tmp_path: Path) -> None:
    documents = [paper(i) for i in range(3)]
    model, card = train(documents, encoder=encoder, tune_encoder=False, epochs=1)
    folder = model.save(tmp_path / "model", card)
    back = BertSum(folder=folder)
    candidates = body(documents[0])
    assert np.allclose(
        back.scores(documents[0], candidates), model.scores(documents[0], candidates), atol=1e-6
    )
    summary = summarise(documents[0], method="bertsum", model=folder)
    assert summary.method == "bertsum"
    assert len(summary.sentences) == 3
    # An epoch teaches too little to beat lexrank, and auto sees that from the card.
    assert not better_than_lexrank(folder)
    assert summarise(documents[0], model=folder).method == "lexrank"
    flattered = msgspec.structs.replace(
        card, measures=(Measured(TRAINED, 0.9), Measured(UNTRAINED, 0.8))
    )
    model.save(folder, flattered)
    assert summarise(documents[0], model=folder).method == "bertsum"
    model.save(folder, card)
    assert load_card(folder).measures == card.measures
    assert "oracle" in (folder / "card.md").read_text()
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-8] + bytes(8))
    with pytest.raises(DamageError):
        BertSum(folder=folder)


def test_another_model_or_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingModel):
        BertSum(folder=tmp_path / "none")
    save_model(tmp_path / "other", {"w": np.zeros(1)}, {"kind": "ranker"}, Card(name="x", what="y"))
    with pytest.raises(FormatError, match="no summariser"):
        BertSum(folder=tmp_path / "other")


def test_too_few_papers_are_refused(encoder: Path) -> None:
    short = Document(id="s", sections=(Section("One. Two."),), full_text=(Section("Text."),))
    with pytest.raises(InputError, match="1 of 3 documents"):
        train([paper(0), short, Document(id="none")], encoder=encoder)


def test_an_empty_document_has_no_scores(encoder: Path) -> None:
    assert BertSum.fresh(encoder).scores(Document(id="x"), []).size == 0
