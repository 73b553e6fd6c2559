"""HPO's annotations: diseases and their phenotypes (``phenotype.hpoa``), phenotypes and genes
(``phenotype_to_genes.txt``, ``genes_to_phenotype.txt``)."""

from __future__ import annotations

from collections.abc import Iterator

from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.kinds import Entity, Reject, Triple
from osler.knowledge.ids import canonical
from osler.knowledge.readers._common import rows
from osler.settings import MAX_NAME

# The column "aspect": what kind of statement a line makes.
_ASPECTS = {
    "P": "has phenotype",
    "I": "has inheritance",
    "C": "has clinical course",
    "M": "has clinical modifier",
    "H": "has history",
}
EXCLUDES = "excludes phenotype"
GENE_PHENOTYPE = "gene associated with phenotype"
GENE_DISEASE = "gene associated with disease"


@readers.register("hpo-annotations")
class HPOAnnotations(Reader):
    """Each disease with its phenotypes; a qualifier NOT gives ``excludes phenotype``."""

    name = "hpo-annotations"
    help = "HPO's disease annotations (phenotype.hpoa)"
    gives = "triples"

    _columns = ("database_id", "disease_name", "qualifier", "hpo_id", "aspect")

    @classmethod
    def recognises(cls, head: Head) -> bool:
        return "database_id\tdisease_name\tqualifier\thpo_id" in head.text

    def read(self, source: Source) -> Iterator[Item]:
        longest = MAX_NAME.get()
        seen: set[str] = set()
        triples: set[tuple[str, str, str]] = set()
        for row in rows(source, self._columns, skip="#"):
            if isinstance(row, Reject):
                yield row
                continue
            number, cells = row
            disease, phenotype = canonical(cells["database_id"]), canonical(cells["hpo_id"])
            name = cells["disease_name"].strip()
            if ":" not in disease or not phenotype.startswith("HP:") or not name:
                yield Reject(source.name, f"line {number}", "no disease or no HPO id", disease[:40])
                continue
            if len(name) > longest:
                yield Reject(source.name, f"line {number}", "a name is too long", disease[:40])
                continue
            if disease not in seen:
                seen.add(disease)
                yield Entity(id=disease, name=name, type="Disease", language="en")
            relation = _ASPECTS.get(cells["aspect"], "has phenotype")
            if cells["qualifier"].strip().upper() == "NOT":
                relation = EXCLUDES
            key = (disease, relation, phenotype)
            if key not in triples:
                triples.add(key)
                yield Triple(*key, source.name)


@readers.register("hpo-genes")
class HPOGenes(Reader):
    """Each gene with its phenotypes and diseases; both of HPO's two files."""

    name = "hpo-genes"
    help = "HPO's genes (phenotype_to_genes.txt, genes_to_phenotype.txt)"
    gives = "triples"

    _columns = ("ncbi_gene_id", "gene_symbol", "hpo_id", "hpo_name", "disease_id")

    @classmethod
    def recognises(cls, head: Head) -> bool:
        return set(cls._columns) <= set(head.text.split("\n", 1)[0].rstrip("\r").split("\t"))

    def read(self, source: Source) -> Iterator[Item]:
        longest = MAX_NAME.get()
        seen: set[str] = set()
        triples: set[tuple[str, str, str]] = set()
        for row in rows(source, self._columns, skip="#"):
            if isinstance(row, Reject):
                yield row
                continue
            number, cells = row
            gene = cells["ncbi_gene_id"].strip()
            symbol, phenotype = cells["gene_symbol"].strip(), canonical(cells["hpo_id"])
            if not gene.isdigit() or not symbol or not phenotype.startswith("HP:"):
                yield Reject(source.name, f"line {number}", "no gene or no HPO id", gene[:40])
                continue
            if max(len(symbol), len(cells["hpo_name"])) > longest:
                yield Reject(source.name, f"line {number}", "a name is too long", gene[:40])
                continue
            id = f"NCBIGene:{gene}"
            if id not in seen:
                seen.add(id)
                yield Entity(id=id, name=symbol, type="Gene")
            if phenotype not in seen and cells["hpo_name"].strip():
                # Its name only: hp.obo describes it in full, before or after.
                seen.add(phenotype)
                yield Entity(id=phenotype, name=cells["hpo_name"].strip())
            facts = [(id, GENE_PHENOTYPE, phenotype)]
            disease = canonical(cells["disease_id"])
            if ":" in disease:
                facts.append((id, GENE_DISEASE, disease))
            for key in facts:
                if key not in triples:
                    triples.add(key)
                    yield Triple(*key, source.name)
