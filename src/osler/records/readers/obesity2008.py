"""2008 obesity challenge: records in one XML file, judgements in others; read as files or folder.

Records: ``<doc id="7"><text>...</text></doc>``. Annotations: ``<diseases source="textual">`` or
``"intuitive"`` with ``<disease name="Asthma"><doc id="7" judgment="Y"/>``. Judgements are Y
(present), N (absent), Q (questionable), U (unmentioned): U says nothing about the patient and
makes no triple.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from osler.errors import FormatError
from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.kinds import FactSource, Note, Reject
from osler.records.chart import Chart
from osler.records.naming import source_name
from osler.records.safe_xml import parse_xml
from osler.records.schema import DISEASE

_RELATION = {
    ("textual", "Y"): "diagnosed with",
    ("textual", "N"): "does not have",
    ("textual", "Q"): "possibly has",
    ("intuitive", "Y"): "judged to have",
    ("intuitive", "N"): None,
    ("intuitive", "Q"): "possibly has",
}


@readers.register("i2b2-2008-obesity")
class Obesity2008(Reader):
    name = "i2b2-2008-obesity"
    help = (
        "2008 obesity challenge: docs and textual and intuitive judgements (XML, files or folder)"
    )
    gives = "records"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        if head.is_folder:
            said = any("obesity" in name.lower() for name in (head.name, *head.names))
            return said and any(name.endswith(".xml") for name in head.names)
        return "<diseaseset" in head.text or ("<docs" in head.text and "<doc id" in head.text)

    def read(self, source: Source) -> Iterator[Item]:
        dataset = source_name(self.options, source, "obesity2008")
        texts: dict[str, tuple[str, str]] = {}
        judged: dict[str, list[tuple[str, str, str, str]]] = {}
        for part in _parts(source):
            try:
                root = parse_xml(part)
            except FormatError as error:
                if not source.is_folder:
                    raise
                yield Reject(part.name, "the file", error.message)
                continue
            for doc in root.iter("doc"):
                if doc.find("text") is not None:
                    texts[(doc.get("id") or "").strip()] = (doc.findtext("text") or "", part.name)
            for group in root.iter("diseases"):
                yield from self._judgements(group, part.name, judged)
                silent = sum(_judged(doc) == "U" for doc in group.iter("doc"))
                if silent:
                    reason = "judgements U (unmentioned) say nothing of the patient"
                    yield Note(part.name, "the file", "skipped", reason, count=silent)
        for id in sorted(set(texts) | set(judged), key=_order):
            chart = Chart(dataset, id)
            text, file = texts.get(id, ("", source.name))
            record = chart.record(f"record {id}", f"{file}#{id}")
            if texts and id not in texts:
                yield Reject(source.name, f"doc {id}", "judgements without a note", id=id)
            if judged and id not in judged:
                yield Reject(source.name, f"doc {id}", "a note without its annotation", id=id)
            present: dict[str, str] = {}
            for kind, disease, judgement, where in judged.get(id, ()):
                _fact(chart, kind, disease, judgement, where)
                relation = _RELATION[kind, judgement]
                if relation is None:
                    continue
                node = chart.add(DISEASE, disease)
                chart.has(relation, node, where)
                if relation == "diagnosed with":
                    present[node] = where
            for node, where in present.items():
                for other in present:
                    if other != node:
                        chart.link(node, "has comorbidity", other, where)
            chart.narrative(record, text, f"{file}#{id}")
            yield from chart.items()

    def _judgements(
        self, group: Any, file: str, judged: dict[str, list[tuple[str, str, str, str]]]
    ) -> Iterator[Item]:
        kind = (group.get("source") or "").strip().lower()
        for disease in group.iter("disease"):
            name = (disease.get("name") or "").strip()
            for doc in disease.iter("doc"):
                id = (doc.get("id") or "").strip()
                judgement = _judged(doc)
                place = f"line {doc.sourceline}"
                if judgement == "U" and name and id:
                    judged.setdefault(id, [])
                    continue
                if not name or not id or (kind, judgement) not in _RELATION:
                    yield Reject(file, place, "a judgement that is none of Y, N, Q, U", id=id)
                    continue
                judged.setdefault(id, []).append(
                    (kind, name, judgement, f"{file}:{doc.sourceline}")
                )


def _judged(doc: Any) -> str:
    return str(doc.get("judgment") or doc.get("judgement") or "").strip().upper()


def _fact(chart: Chart, kind: str, disease: str, judgement: str, where: str) -> None:
    """A judgement as a fact; an intuitive one is the annotator's guess and says so."""
    certainty = {"Y": "confirmed", "N": "absent", "Q": "provisional"}[judgement]
    file, _, line = where.rpartition(":")
    source = FactSource(file, f":{line}", 0, len(disease), disease)
    chart.fact(
        *("condition", DISEASE, disease, source),
        status="unknown",
        certainty=certainty,
        detail={"judgement": kind},
    )


def _parts(source: Source) -> Iterator[Source]:
    if not source.is_folder:
        yield source
        return
    for path in sorted(source.path.rglob("*.xml")):
        yield Source(path)


def _order(id: str) -> tuple[int, str]:
    return (int(id), id) if id.isdigit() else (1 << 60, id)
