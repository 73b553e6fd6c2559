"""Encoders by name: our own small one, fetched ones, any Hugging Face encoder folder.

The default is ``osler-small``, whose weights come with the package; where they are not, it is
all-MiniLM-L6-v2 (``osler fetch minilm``). A folder may hold a ready ONNX graph (``encoder.json``
names it) or weights: BERT and RoBERTa models run on ONNX Runtime from a graph that we build, or on
torch; every other kind needs ``osler[neural]``. Which runtime: torch in bfloat16 where torch is
installed and the processor multiplies bfloat16 in hardware, else ONNX Runtime in float32.
"""

from __future__ import annotations

from pathlib import Path

from osler.errors import ChoiceError, InputError, LimitError, MissingExtra, MissingModel
from osler.fetch import THINGS, fetched
from osler.text.bert import bert_shape, read_config
from osler.text.encoding import Encoder, Runtime
from osler.text.hub import hub_folder
from osler.text.model_folder import (
    DEFAULT,
    POOLINGS,
    TABLE,
    Pooling,
    Wants,
    default_max_tokens,
    default_name,
    default_pooling,
    graph_hash,
    read_wants,
    shipped,
    weights_file,
    weights_hash,
)
from osler.text.wordpieces import languages_of, load_tokenizer

__all__ = ["DEFAULT", "Encoder", "default_name", "encoder_fingerprint", "load_encoder"]

RUNTIMES = ("onnx", "torch")


def load_encoder(
    name_or_folder: str | Path = DEFAULT,
    *,
    runtime: str | None = None,
    pooling: Pooling | None = None,
    max_tokens: int | None = None,
    download: bool = False,
) -> Encoder:
    """An encoder by its name among the shipped and the fetched ones, its folder, or its name on
    the hub.

    ``runtime``: ``"onnx"``, ``"torch"`` or None for the quicker of what is here. ``pooling``:
    ``"mean"``, ``"cls"``, or ``"last-but-one"`` (the mean over the last layer but one, as
    bert-as-service does); None takes what the folder says. ``max_tokens`` at which texts are cut:
    None takes the folder's. A hub name is looked up in the local cache only, unless ``download``.
    """
    if runtime is not None and runtime not in RUNTIMES:
        raise ChoiceError("runtime", runtime, RUNTIMES)
    if pooling is not None and pooling not in POOLINGS:
        raise ChoiceError("pooling", pooling, POOLINGS)
    folder = _folder(name_or_folder, download)
    wants = read_wants(folder)
    if wants.kind == "pairs":
        raise InputError(
            f"{folder.name} scores pairs of texts and gives no vectors", cure="name an encoder"
        )
    if wants.kind != "states":
        return _whole_texts(folder, wants)
    if wants.graph is not None:
        if runtime == "torch":
            raise InputError(f"{folder.name} is a ready graph: only ONNX Runtime runs it")
        if pooling == "last-but-one":
            raise InputError(f"{folder.name} is a ready graph and shows its last layer only")
        return _ready(folder, wants, pooling, max_tokens)
    config = read_config(folder)
    shape = bert_shape(config)
    pooling = pooling or wants.pooling or default_pooling(folder)
    limit = shape.positions if shape else int(config.get("max_position_embeddings") or 512)
    max_tokens = max_tokens or wants.max_tokens or default_max_tokens(folder, limit)
    if not 2 < max_tokens <= limit:
        raise LimitError(f"max_tokens is {max_tokens}", cure=f"give between 3 and {limit}")
    digest = weights_hash(folder)
    back = 1 if pooling == "last-but-one" else 0
    tokenizer = load_tokenizer(folder, max_tokens=max_tokens)
    runner: Runtime
    if shape is None or weights_file(folder).name != "model.safetensors":
        if runtime == "onnx":
            raise MissingExtra(f"a model of kind {config.get('model_type')!r} (torch)", "neural")
        from osler.text.torch_runtime import TransformersRuntime

        runner = TransformersRuntime(folder, layers_from_end=back)
        dimension = int(config.get("hidden_size") or config.get("dim") or 0)
    else:
        layers = shape.layers - back
        dimension = shape.hidden
        from osler.text.torch_runtime import TorchRuntime, has_bfloat16

        if runtime == "torch" or (runtime is None and has_bfloat16()):
            runner = TorchRuntime(folder, shape, layers=layers)
        else:
            from osler.text.onnx_runtime import OnnxRuntime

            runner = OnnxRuntime(folder, shape, weights_hash=digest, layers=layers)
    vocabulary = tokenizer.get_vocab()
    return Encoder(
        tokenizer,
        runner,
        dimension=dimension,
        pooling=pooling,
        max_tokens=max_tokens,
        # Not the runtime: its vectors agree to 1e-3, and a library may move between machines.
        fingerprint=_fingerprint(digest, pooling, max_tokens),
        languages=frozenset(wants.languages or languages_of(vocabulary)),
        name=folder.name,
        query_prefix=wants.query_prefix,
        passage_prefix=wants.passage_prefix,
    )


def _ready(folder: Path, wants: Wants, pooling: Pooling | None, max_tokens: int | None) -> Encoder:
    """An encoder whose graph lies ready in its folder."""
    from osler.text.plain_pieces import late_tokenizer
    from osler.text.ready_graph import ReadyGraph

    graph = folder / str(wants.graph)
    digest = graph_hash(folder, graph.name)
    pooling = pooling or wants.pooling or "mean"
    max_tokens = max_tokens or wants.max_tokens or 512
    runner = ReadyGraph(graph)
    tokenizer = late_tokenizer(folder, max_tokens=max_tokens)
    return Encoder(
        tokenizer,
        runner,
        dimension=runner.dimension,
        pooling=pooling,
        max_tokens=max_tokens,
        fingerprint=_fingerprint(digest, pooling, max_tokens),
        languages=frozenset(wants.languages or languages_of(tokenizer.get_vocab())),
        name=folder.name,
        query_prefix=wants.query_prefix,
        passage_prefix=wants.passage_prefix,
    )


def _whole_texts(folder: Path, wants: Wants) -> Encoder:
    """An encoder that takes texts as they are, or sums a table."""
    if wants.kind == "static":
        from osler.text.static_table import load_static

        return load_static(folder, wants)
    from osler.text.whole_texts import load_whole_texts

    return load_whole_texts(folder, wants)


def encoder_fingerprint(name_or_folder: str | Path) -> str:
    """The fingerprint that :func:`load_encoder` would give by its defaults, without loading."""
    folder = _folder(name_or_folder, download=False)
    wants = read_wants(folder)
    if wants.kind != "states":
        return graph_hash(folder, wants.graph or TABLE)[:16]
    if wants.graph is not None:
        digest = graph_hash(folder, wants.graph)
        return _fingerprint(digest, wants.pooling or "mean", wants.max_tokens or 512)
    config = read_config(folder)
    shape = bert_shape(config)
    limit = shape.positions if shape else int(config.get("max_position_embeddings") or 512)
    pooling = wants.pooling or default_pooling(folder)
    max_tokens = wants.max_tokens or default_max_tokens(folder, limit)
    return _fingerprint(weights_hash(folder), pooling, max_tokens)


def _fingerprint(digest: str, pooling: str, max_tokens: int) -> str:
    import xxhash

    return str(xxhash.xxh3_128_hexdigest(f"{digest} {pooling} {max_tokens}".encode()))[:16]


def _folder(name_or_folder: str | Path, download: bool) -> Path:
    given = Path(name_or_folder).expanduser()
    name = str(name_or_folder)
    if name == DEFAULT:
        name = default_name()
    if (own := shipped(name)) is not None:
        return own
    if name in THINGS:
        here = fetched(name)
        if here is None:
            raise MissingModel(f"the encoder {name} is not here", cure=f"osler fetch {name}")
        return here
    if given.is_dir():
        return given
    return hub_folder(name, download=download)
