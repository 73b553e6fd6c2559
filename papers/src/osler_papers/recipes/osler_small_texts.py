"""The texts that teach osler-small: PubMed citations, names of MeSH and HPO. Nothing else.

Long texts are a title with its abstract, or a part of one from some sentence on; short ones are
titles, names, definitions and single sentences: what documents and what questions look like.
"""

from __future__ import annotations

import gzip
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from osler.errors import NeedsError
from osler.fetch import fetched

# Citations that only measure how near the student is to its teacher.
KEPT_BACK = 400


@dataclass(frozen=True)
class Citation:
    title: str
    abstract: str


@dataclass(frozen=True)
class Sources:
    """All that texts are drawn from."""

    citations: Sequence[Citation]
    kept_back: Sequence[Citation]
    names: Sequence[str]
    definitions: Sequence[str]


def sentences(abstract: str) -> list[str]:
    """Sentences, roughly: where one begins is all that matters here."""
    return [part for part in abstract.replace("? ", "?. ").split(". ") if len(part) > 30]


def read_sources(*, seed: int = 0) -> Sources:
    """What ``osler fetch pubmed-sample mesh hpo`` brought."""
    folders = {}
    for name in ("pubmed-sample", "mesh", "hpo"):
        folder = fetched(name)
        if folder is None:
            raise NeedsError(f"the recipe needs {name}", cure=f"osler fetch {name}")
        folders[name] = folder
    citations: list[Citation] = []
    for file in ("pubmed21n1298.xml.gz", "pubmed20n0014.xml.gz"):
        citations += english_citations(folders["pubmed-sample"] / file)
    random.Random(seed).shuffle(citations)  # noqa: S311 (no secret)
    names = _mesh_names(folders["mesh"] / "mesh_id_label_mappings.tsv")
    ontology = (folders["hpo"] / "hp.obo").read_text("utf-8")
    names |= set(re.findall(r"^name: (.+)$", ontology, re.M))
    names |= set(re.findall(r'^synonym: "(.+?)"', ontology, re.M))
    return Sources(
        citations=citations[KEPT_BACK:],
        kept_back=citations[:KEPT_BACK],
        names=sorted(name for name in names if len(name) > 3),
        definitions=re.findall(r'^def: "(.+?)" \[', ontology, re.M),
    )


def english_citations(path: Path) -> list[Citation]:
    from lxml import etree

    citations = []
    with gzip.open(path) as stream:
        for _, article in etree.iterparse(stream, tag="PubmedArticle"):
            title = article.find(".//ArticleTitle")
            if title is not None and article.findtext(".//Language") == "eng":
                parts = article.iterfind(".//Abstract/AbstractText")
                abstract = " ".join("".join(part.itertext()) for part in parts)
                citations.append(Citation("".join(title.itertext()).strip(), abstract.strip()))
            article.clear()
    return citations


def _mesh_names(path: Path) -> set[str]:
    names: set[str] = set()
    for line in path.read_text("utf-8").splitlines():
        fields = line.split("\t")
        names.add(fields[1])
        names.update(fields[2].split("|") if len(fields) > 2 else ())
    return names


class Drawer:
    """Draws texts at random, the same ones for the same seed."""

    def __init__(self, sources: Sources, *, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 (no secret)
        self._papers = [each for each in sources.citations if len(each.abstract) > 300]
        self._titles = [each.title for each in sources.citations if len(each.title) > 15]
        self._sources = sources

    def long(self) -> str:
        paper = self._random.choice(self._papers)
        if self._random.random() < 0.65:
            return f"{paper.title}. {paper.abstract}"
        parts = sentences(paper.abstract) or [paper.abstract]
        first = self._random.randrange(len(parts))
        rest = ". ".join(parts[first:])
        return rest if first < len(parts) // 2 else f"{paper.title}. {rest}"

    def short(self) -> str:
        draw = self._random.random()
        if draw < 0.45:
            return self._random.choice(self._titles)
        if draw < 0.70:
            return self._random.choice(self._sources.names)
        if draw < 0.78:
            return self._random.choice(self._sources.definitions)
        paper = self._random.choice(self._papers)
        return self._random.choice(sentences(paper.abstract) or [paper.title])
