"""UMLS in Rich Release Format: MRCONSO, MRSTY, MRHIER and MRREL of a folder.

One entity a concept (``UMLS:C0004096``). Its codes in SNOMED CT, MeSH and other sources are its
xrefs, so that concepts of the graph's other terminologies are joined through it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from osler.errors import FormatError
from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.kinds import Entity, Reject, Triple
from osler.knowledge.ids import canonical
from osler.knowledge.readers._common import settle, shown

# How many fields a row has; each row ends with a bar.
_FIELDS = {"MRCONSO": 18, "MRSTY": 6, "MRHIER": 9, "MRREL": 16}
_SOURCES = {
    "SNOMEDCT_US": "SCTID",
    "SNOMEDCT": "SCTID",
    "MSH": "MESH",
    "HPO": "HP",
    "OMIM": "OMIM",
    "NCI": "NCIT",
    "ICD10CM": "ICD10CM",
    "ICD10": "ICD10",
    "MDR": "MEDDRA",
    "RXNORM": "RXNORM",
    "LNC": "LOINC",
}
_LANGUAGES = {"ENG": "en", "CHI": "zh", "GER": "de", "FRE": "fr", "SPA": "es", "JPN": "ja"}
# Relations that say nothing beyond the hierarchy, or nothing at all.
_PLAIN = frozenset({"PAR", "CHD", "SIB", "SY", "AQ", "QB", "DEL", "XR"})


@dataclass
class _Concept:
    name: str = ""
    rank: int = 9
    language: str = ""
    names: dict[str, None] = field(default_factory=dict)
    codes: dict[str, None] = field(default_factory=dict)
    types: list[str] = field(default_factory=list)
    parents: dict[str, None] = field(default_factory=dict)


@readers.register("umls-rrf")
class RRF(Reader):
    """A folder of UMLS files. ``options``: ``languages`` whose names are kept (``ENG`` and ``CHI``
    by default, as MRCONSO writes them)."""

    name = "umls-rrf"
    help = "UMLS: a folder of RRF files (MRCONSO, MRSTY, MRHIER, MRREL)"
    gives = "terminology"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        return any(name.rsplit("/", 1)[-1] == "MRCONSO.RRF" for name in head.names)

    def read(self, source: Source) -> Iterator[Item]:
        self.rejects: list[Reject] = []
        self.triples: dict[tuple[str, str, str], None] = {}
        concepts, atoms = self._names(source)
        self._types(source, concepts)
        self._hierarchy(source, concepts, atoms)
        self._relations(source, concepts)
        kept: set[str] = set()
        for item in settle(self._entities(concepts), source.name):
            if isinstance(item, Entity):
                kept.add(item.id)
            yield item
        for head, relation, tail in self.triples:
            if f"UMLS:{head}" in kept and f"UMLS:{tail}" in kept:
                yield Triple(f"UMLS:{head}", relation, f"UMLS:{tail}", source.name)
        yield from self.rejects

    def _rows(self, source: Source, table: str) -> Iterator[tuple[str, int, list[str]]]:
        if not source.is_folder:
            raise FormatError(f"{source.name} is no folder of RRF files", cure="give the folder")
        paths = sorted(source.path.rglob(f"{table}.RRF")) + sorted(
            source.path.rglob(f"{table}.RRF.gz")
        )
        if not paths:
            if table == "MRCONSO":
                raise FormatError(f"{source.name} has no MRCONSO.RRF", cure="give the META folder")
            return
        file = Source(paths[0], name=f"{source.name}/{paths[0].name}")
        for number, line in file.lines():
            if line is None:
                self.rejects.append(Reject(file.name, f"line {number}", "not UTF-8"))
                continue
            if not line:
                continue
            cells = line.split("|")
            if len(cells) - 1 != _FIELDS[table]:
                reason = f"{len(cells) - 1} fields, expected {_FIELDS[table]}"
                self.rejects.append(Reject(file.name, f"line {number}", reason))
                continue
            yield file.name, number, cells

    def _names(self, source: Source) -> tuple[dict[str, _Concept], dict[str, str]]:
        wanted = tuple(self.options.get("languages") or ("ENG", "CHI"))
        concepts: dict[str, _Concept] = {}
        atoms: dict[str, str] = {}
        for _, _, cells in self._rows(source, "MRCONSO"):
            cui, language, status, string_type, preferred, atom = (
                cells[0], cells[1], cells[2], cells[4], cells[6], cells[7],
            )  # fmt: skip
            # Suppressible atoms (O, E, Y) name nothing, but hierarchies still go through them.
            atoms[atom] = cui
            concept = concepts.setdefault(cui, _Concept())
            family = _SOURCES.get(cells[11])
            if family and cells[13] not in ("", "NOCODE"):
                concept.codes[canonical(f"{family}:{cells[13]}")] = None
            if cells[16] not in ("N", "") or language not in wanted:
                continue
            text = cells[14].strip()
            concept.names[text] = None
            best = status == "P" and string_type == "PF"
            rank = (0 if language == wanted[0] else 4) + (0 if best and preferred == "Y" else 2)
            if rank < concept.rank:
                concept.name, concept.rank = text, rank
                concept.language = _LANGUAGES.get(language, language.lower())
        return concepts, atoms

    def _types(self, source: Source, concepts: dict[str, _Concept]) -> None:
        for file, number, cells in self._rows(source, "MRSTY"):
            concept = self._known(concepts, cells[0], file, number)
            if concept is not None:
                concept.types.append(cells[3])

    def _hierarchy(
        self, source: Source, concepts: dict[str, _Concept], atoms: dict[str, str]
    ) -> None:
        for file, number, cells in self._rows(source, "MRHIER"):
            concept = self._known(concepts, cells[0], file, number)
            if concept is None or not cells[3]:
                continue
            parent = atoms.get(cells[3])
            if parent is None:
                reason = f"its parent atom{shown(cells[3])} is not in MRCONSO"
                self.rejects.append(Reject(file, f"line {number}", reason, cells[0][:20]))
            elif parent != cells[0]:
                concept.parents[parent] = None

    def _relations(self, source: Source, concepts: dict[str, _Concept]) -> None:
        """In MRREL the relation is that of the second concept to the first."""
        for file, number, cells in self._rows(source, "MRREL"):
            first, relation, second = cells[0], cells[3], cells[4]
            if first == second or cells[14] not in ("N", ""):
                continue
            one = self._known(concepts, first, file, number)
            other = self._known(concepts, second, file, number)
            if one is None or other is None:
                continue
            if relation == "PAR":
                one.parents[second] = None
            elif relation == "CHD":
                other.parents[first] = None
            elif relation not in _PLAIN and not cells[7].startswith("inverse_"):
                name = (cells[7] or relation).replace("_", " ")
                self.triples[second, name, first] = None

    def _known(
        self, concepts: dict[str, _Concept], cui: str, file: str, number: int
    ) -> _Concept | None:
        concept = concepts.get(cui)
        if concept is None:
            reason = f"concept{shown(cui)} is not in MRCONSO"
            self.rejects.append(Reject(file, f"line {number}", reason, cui[:20]))
        return concept

    def _entities(self, concepts: dict[str, _Concept]) -> Iterator[tuple[str, Entity]]:
        for cui, concept in concepts.items():
            # A concept with no name in the wanted languages is none of this graph's.
            if not concept.name:
                continue
            yield (
                f"concept {cui}",
                Entity(
                    id=f"UMLS:{cui}",
                    name=concept.name,
                    type=min(concept.types, default=""),
                    synonyms=tuple(name for name in concept.names if name != concept.name),
                    parents=tuple(
                        f"UMLS:{parent}" for parent in concept.parents if concepts[parent].name
                    ),
                    xrefs=tuple(concept.codes),
                    language=concept.language,
                ),
            )
