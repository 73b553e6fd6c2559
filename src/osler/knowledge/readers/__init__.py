"""Readers of terminologies and triples, one format a file. Importing this room registers them."""

from osler.knowledge.readers import (
    hpo_annotations,
    images_table,
    indra_json,
    mesh_supplementary,
    mesh_table,
    mesh_xml,
    nodes_table,
    obo,
    orphanet,
    rf2,
    rrf,
    terms_table,
    triples,
)

__all__ = [
    "hpo_annotations",
    "images_table",
    "indra_json",
    "mesh_supplementary",
    "mesh_table",
    "mesh_xml",
    "nodes_table",
    "obo",
    "orphanet",
    "rf2",
    "rrf",
    "terms_table",
    "triples",
]
