from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from osler.errors import ChoiceError, FormatError, InputError, LimitError, MissingModel
from osler.fetch import fetched
from osler.text.bert import Weights, bert_shape, forward, read_config, read_weights
from osler.text.encoder import load_encoder
from osler.text.encoding import pool
from osler.text.wordpieces import languages_of

TEXTS = [
    "aspirin treats fever",
    "the risk of stroke in the heart, the heart of the risk.",
    "",
    "fever",
    "unknown words only here",
    "aspirin " * 60,
]


def reference(
    folder: Path, texts: list[str], pooling: str = "mean", length: int | None = None
) -> np.ndarray:
    """Vectors by the plain NumPy pass, one text at a time, so without any padding."""
    from tokenizers import Tokenizer

    shape = bert_shape(read_config(folder))
    assert shape is not None
    weights = Weights(shape, read_weights(folder / "model.safetensors"))
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(length or shape.positions)
    layers = shape.layers - (pooling == "last-but-one")
    rows = []
    for text in texts:
        ids = np.array([tokenizer.encode(text).ids], dtype=np.int32)
        mask = np.ones_like(ids)
        rows.append(pool(forward(weights, ids, mask, layers), mask, pooling)[0])  # type: ignore[arg-type]
    return np.array(rows)


@pytest.mark.parametrize("runtime", ["onnx", "torch"])
@pytest.mark.parametrize("pooling", ["mean", "cls", "last-but-one"])
@pytest.mark.parametrize("kind", ["bert", "roberta"])
def test_runtimes_equal_the_numpy_pass(
    tmp_path: Path, bert_maker: Callable[..., Path], runtime: str, pooling: str, kind: str
) -> None:
    if runtime == "torch":
        pytest.importorskip("torch")
    folder = bert_maker(tmp_path / kind, kind=kind)
    encoder = load_encoder(folder, runtime=runtime, pooling=pooling)  # type: ignore[arg-type]
    if runtime == "torch" and encoder.runtime.bfloat16:  # type: ignore[attr-defined]
        tolerance = 2e-2
    else:
        tolerance = 1e-4
    got = encoder.encode(TEXTS)
    assert got.dtype == np.float32
    assert got.shape == (len(TEXTS), 32)
    np.testing.assert_allclose(got, reference(folder, TEXTS, pooling), atol=tolerance)
    np.testing.assert_allclose(np.linalg.norm(got, axis=1), 1, atol=1e-5)


@pytest.mark.parametrize("kind", ["bert", "roberta"])
def test_the_numpy_pass_equals_transformers(
    tmp_path: Path, bert_maker: Callable[..., Path], kind: str
) -> None:
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    folder = bert_maker(tmp_path / kind, kind=kind)
    model = transformers.AutoModel.from_pretrained(str(folder)).eval()
    shape = bert_shape(read_config(folder))
    assert shape is not None
    ids = np.array([[2, 5, 6, 7, 3], [2, 8, 3, 0, 0]], dtype=np.int32)
    mask = (ids > 0).astype(np.int32)
    with torch.inference_mode():
        theirs = model(
            input_ids=torch.from_numpy(ids).long(), attention_mask=torch.from_numpy(mask).long()
        ).last_hidden_state.numpy()
    ours = forward(Weights(shape, read_weights(folder / "model.safetensors")), ids, mask, 2)
    np.testing.assert_allclose(ours[mask > 0], theirs[mask > 0], atol=1e-4)


def test_other_kinds_run_by_transformers(tmp_path: Path, bert_maker: Callable[..., Path]) -> None:
    pytest.importorskip("transformers")
    folder = bert_maker(tmp_path / "other")
    plain = load_encoder(folder, runtime="onnx").encode(TEXTS[:2])
    back = load_encoder(folder, runtime="onnx", pooling="last-but-one").encode(TEXTS[:2])
    config = json.loads((folder / "config.json").read_text())
    # An activation that we do not write ourselves sends a BERT that way too.
    (folder / "config.json").write_text(json.dumps(config | {"hidden_act": "gelu_new"}))
    encoder = load_encoder(folder)
    assert encoder.dimension == 32
    # gelu_new is an approximation of gelu.
    np.testing.assert_allclose(encoder.encode(TEXTS[:2]), plain, atol=1e-2)
    other = load_encoder(folder, pooling="last-but-one")
    np.testing.assert_allclose(other.encode(TEXTS[:2]), back, atol=1e-2)


def test_order_batches_and_progress(tiny: Path) -> None:
    encoder = load_encoder(tiny, runtime="onnx")
    texts = TEXTS * 7
    seen: list[tuple[int, int]] = []
    whole = encoder.encode(texts, batch=3, progress=lambda done, total: seen.append((done, total)))
    alone = np.concatenate([encoder.encode([text]) for text in texts])
    np.testing.assert_allclose(whole, alone, atol=1e-5)
    assert seen[-1] == (len(texts), len(texts))
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert encoder.encode([]).shape == (0, 32)


def test_batches_on_several_threads(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = load_encoder(tiny, runtime="onnx").encode(TEXTS * 9, batch=2)
    monkeypatch.setenv("OSLER_THREADS", "3")
    encoder = load_encoder(tiny, runtime="onnx")
    assert encoder.runtime.workers == 3
    np.testing.assert_allclose(encoder.encode(TEXTS * 9, batch=2), alone, atol=1e-6)


def test_several_windows(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = load_encoder(tiny, runtime="onnx")
    whole = encoder.encode(TEXTS)
    tokens = encoder.token_vectors(TEXTS)
    monkeypatch.setattr("osler.text.encoding.WINDOW", 2)
    np.testing.assert_allclose(encoder.encode(TEXTS), whole, atol=1e-5)
    for (pieces, rows), (same, others) in zip(tokens, encoder.token_vectors(TEXTS), strict=True):
        assert pieces == same
        np.testing.assert_allclose(rows, others, atol=1e-4)


def test_token_vectors_and_pieces(tiny: Path) -> None:
    encoder = load_encoder(tiny, runtime="onnx")
    text = "Aspirins treating"
    ((pieces, rows),) = encoder.token_vectors([text])
    assert pieces == ["aspirin", "##s", "treat", "##ing"]
    assert rows.shape == (4, 32)
    assert [(t.text, t.start) for t in encoder.pieces(text)] == [
        ("Aspirin", 0),
        ("s", 7),
        ("treat", 9),
        ("ing", 14),
    ]
    assert encoder.token_vectors([""])[0][1].shape == (0, 32)


def test_fingerprint_says_what_a_vector_depends_on(
    tiny: Path, tmp_path: Path, bert_maker: Callable[..., Path]
) -> None:
    first = load_encoder(tiny, runtime="onnx")
    assert first.fingerprint == load_encoder(tiny, runtime="onnx").fingerprint
    others = {
        load_encoder(tiny, runtime="onnx", pooling="cls").fingerprint,
        load_encoder(tiny, runtime="onnx", max_tokens=8).fingerprint,
        load_encoder(bert_maker(tmp_path / "b", seed=8), runtime="onnx").fingerprint,
    }
    assert len(others | {first.fingerprint}) == 4


def test_the_graph_is_kept_and_a_damaged_one_made_again(tiny: Path) -> None:
    before = load_encoder(tiny, runtime="onnx").encode(TEXTS)
    (kept,) = tiny.glob("osler-*.onnx")
    kept.write_bytes(b"no graph at all")
    np.testing.assert_allclose(load_encoder(tiny, runtime="onnx").encode(TEXTS), before, atol=1e-6)
    assert kept.read_bytes() != b"no graph at all"


def test_a_folder_that_cannot_be_written(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **options: object) -> tuple[int, str]:
        raise PermissionError(13, "denied")

    monkeypatch.setattr("osler.text.onnx_graph.tempfile.mkstemp", refuse)
    assert load_encoder(tiny, runtime="onnx").encode(["fever"]).shape == (1, 32)
    assert not list(tiny.glob("osler-*"))


def test_threads_share_an_encoder(tiny: Path) -> None:
    encoder = load_encoder(tiny, runtime="onnx")
    expected = encoder.encode(TEXTS)
    wrong: list[int] = []

    def work(number: int) -> None:
        for _ in range(20):
            if not np.allclose(encoder.encode(TEXTS), expected, atol=1e-5):
                wrong.append(number)

    workers = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert wrong == []


def test_wrong_choices(tiny: Path) -> None:
    with pytest.raises(ChoiceError, match="onnx, torch"):
        load_encoder(tiny, runtime="tensorrt")
    with pytest.raises(ChoiceError, match="cls"):
        load_encoder(tiny, pooling="max")  # type: ignore[arg-type]
    with pytest.raises(LimitError, match="between 3 and 40"):
        load_encoder(tiny, max_tokens=41)


def test_broken_folders(tiny: Path, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"config\.json"):
        load_encoder(tmp_path)
    (tiny / "tokenizer.json").write_text("{")
    with pytest.raises(FormatError, match="tokenizer"):
        load_encoder(tiny, runtime="onnx")
    (tiny / "tokenizer.json").unlink()
    with pytest.raises(FormatError, match=r"vocab\.txt"):
        load_encoder(tiny, runtime="onnx")
    (tiny / "model.safetensors").rename(tiny / "pytorch_model.bin")
    with pytest.raises(FormatError, match="pickled weights"):
        load_encoder(tiny)


def test_damaged_weights(tiny: Path) -> None:
    path = tiny / "model.safetensors"
    path.write_bytes(path.read_bytes()[:500])
    with pytest.raises(FormatError, match="damaged"):
        load_encoder(tiny, runtime="onnx")


def test_an_old_folder_with_only_a_vocabulary(tiny: Path) -> None:
    before = load_encoder(tiny, runtime="onnx").encode(TEXTS)
    vocabulary = json.loads((tiny / "tokenizer.json").read_text())["model"]["vocab"]
    (tiny / "vocab.txt").write_text("\n".join(sorted(vocabulary, key=vocabulary.get)))
    (tiny / "tokenizer.json").unlink()
    np.testing.assert_allclose(load_encoder(tiny, runtime="onnx").encode(TEXTS), before, atol=1e-5)


def test_nothing_is_downloaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setenv("OSLER_CACHE", str(tmp_path / "empty"))
    with pytest.raises(MissingModel, match="osler fetch minilm"):
        load_encoder()
    with pytest.raises(MissingModel, match="no encoder 'owner/model'"):
        load_encoder("owner/model")
    with pytest.raises(InputError, match="no encoder folder"):
        load_encoder("../../etc")


def test_a_hub_name_in_the_local_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bert_maker: Callable[..., Path]
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    home = tmp_path / "models--owner--model"
    bert_maker(home / "snapshots" / ("a" * 40))
    (home / "refs").mkdir()
    (home / "refs" / "main").write_text("a" * 40)
    assert load_encoder("owner/model", runtime="onnx").dimension == 32


def test_languages_of_a_vocabulary() -> None:
    han = {chr(0x4E00 + i): i for i in range(3000)}
    english = {"word" + "".join(chr(97 + int(d)) for d in str(i)): i for i in range(3000)}
    assert languages_of(han) == {"zh"}
    assert languages_of(english) == {"en"}
    assert languages_of({"\u2581" + word: i for word, i in (han | english).items()}) == {"en", "zh"}
    assert languages_of({}) == frozenset()


@pytest.mark.skipif(fetched("minilm") is None, reason="the model is not here: osler fetch minilm")
class TestMiniLM:
    TEXTS = (
        "Low-dose aspirin for the prevention of stroke.",
        "Aspirin lowers the risk of a first stroke.",
        "Magnetic resonance imaging of the knee after ligament repair: a case series. " * 12,
    )

    @pytest.mark.parametrize("runtime", ["onnx", "torch"])
    def test_equals_the_float32_reference(self, runtime: str) -> None:
        if runtime == "torch":
            pytest.importorskip("torch")
        folder = fetched("minilm")
        assert folder is not None
        got = load_encoder("minilm", runtime=runtime).encode(self.TEXTS)
        expected = reference(folder, list(self.TEXTS), length=256)
        assert (got * expected).sum(1).min() >= 0.999

    def test_bfloat16_is_near_enough(self) -> None:
        pytest.importorskip("torch")
        from osler.text.torch_runtime import TorchRuntime

        folder = fetched("minilm")
        assert folder is not None
        exact = load_encoder("minilm", runtime="onnx")
        rough = load_encoder("minilm", runtime="onnx")
        shape = bert_shape(read_config(folder))
        assert shape is not None
        rough.runtime = TorchRuntime(folder, shape, layers=6, bfloat16=True)
        assert (exact.encode(self.TEXTS) * rough.encode(self.TEXTS)).sum(1).min() >= 0.999

    def test_means_what_it_says(self) -> None:
        encoder = load_encoder("minilm", runtime="onnx")
        vectors = encoder.encode(self.TEXTS)
        likeness = vectors @ vectors.T
        assert likeness[0, 1] > 0.5 > likeness[0, 2]
        assert encoder.languages == {"en"}
        assert encoder.reads("stroke")
        assert not encoder.reads("中风")
        assert encoder.max_tokens == 256
