"""2014 heart-disease risk factors: document-level tags of a patient's records over time (XML).

``<CAD id="DOC1" time="before DCT" indicator="event"/>``; SMOKER has ``status``, FAMILY_HIST
``indicator``, MEDICATION ``type1`` and ``type2``. In the complete release a document-level tag
holds the annotators' spans (``start``, ``end``, ``text``), in others the spans stand beside it. A
file is called
``<patient>-<visit>.xml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.kinds import Reject
from osler.records.chart import Chart
from osler.records.naming import source_name
from osler.records.readers.note_files import all_named, cited, named_apart, whole_or_rejected
from osler.records.readers.temporal2012 import offsets
from osler.records.safe_xml import parse_xml
from osler.records.schema import CONTAINS, DATE, MEDICATION, date_of

FACTORS = {
    "DIABETES": "diabetes",
    "CAD": "coronary artery disease",
    "HYPERTENSION": "hypertension",
    "HYPERLIPIDEMIA": "hyperlipidemia",
    "OBESE": "obesity",
}
SHORT = {"CAD": ("cad",), "OBESE": ("obese",), "HYPERTENSION": ("htn",)}
_MARKS = (
    "<DIABETES",
    "<CAD",
    "<HYPERTENSION",
    "<HYPERLIPIDEMIA",
    "<OBESE",
    "<FAMILY_HIST",
    "<SMOKER ",
)
_DATE = re.compile(r"Record date:\s*(\S+)", re.IGNORECASE)


@readers.register("i2b2-2014-risk")
class Risk2014(Reader):
    name = "i2b2-2014-risk"
    help = "2014 heart-disease risk factors: document-level tags (XML, a file a visit, or a folder)"
    gives = "records"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        if head.is_folder:
            return all_named(head, r"\d+-\d+\.xml", "risk")
        return "<TAGS" in head.text and (
            any(mark in head.text for mark in _MARKS)
            or ("<MEDICATION" in head.text and "type1=" in head.text)
        )

    def read(self, source: Source) -> Iterator[Item]:
        dataset = source_name(self.options, source, "risk2014")
        paths = sorted(source.path.rglob("*.xml")) if source.is_folder else [source.path]
        charts: dict[str, Chart] = {}
        for path, name in named_apart(source, paths):
            folder, _, visit = name.rpartition("/")
            patient = f"{folder}/{visit.split('-')[0]}" if folder else visit.split("-")[0]
            for other in [p for p in charts if p != patient]:
                yield from charts.pop(other).items()
            chart = charts.setdefault(patient, Chart(dataset, patient))
            yield from whole_or_rejected(
                self._visit(chart, Source(path), visit), path.name, alone=not source.is_folder
            )
        for chart in charts.values():
            yield from chart.items()

    def _visit(self, chart: Chart, source: Source, visit: str) -> Iterator[Item]:
        root = parse_xml(source)
        text, tags = root.findtext("TEXT"), root.find("TAGS")
        if text is None or tags is None:
            yield Reject(source.name, "file", "a note without its annotation", id=visit)
            return
        record = chart.record(f"record {visit}", source.name)
        dated = _DATE.search(text)
        if dated and date_of(dated.group(1)):
            place = f"{source.name}:{dated.start(1)}-{dated.end(1)}"
            node = chart.add(DATE, date_of(dated.group(1)), cleaned=False)
            chart.link(record, "recorded on", node, place)
        for tag in tags:
            line = f"line {tag.sourceline}"
            if tag.tag == "PHI":
                continue
            for inner in tag:
                problem = offsets(inner, text)
                if problem:
                    yield Reject(source.name, line, problem, id=inner.get("id") or visit)
            problem = offsets(tag, text) or _tag(chart, record, visit, tag, source.name, text)
            if problem:
                yield Reject(source.name, line, problem, id=tag.get("id") or visit)


def _tag(chart: Chart, record: str, visit: str, tag: Any, file: str, text: str) -> str:
    source = f"{file}:{tag.sourceline}"
    spans = [inner for inner in tag if inner.get("start") and not offsets(inner, text)]
    where = cited(source, spans[0] if spans else tag, text)
    if tag.tag in FACTORS:
        indicator = (tag.get("indicator") or "").strip()
        name = FACTORS[tag.tag]
        node = chart.add(name, name, key=f"{visit}-{indicator}", synonyms=SHORT.get(tag.tag, ()))
        chart.has("has risk factor", node, source)
        detail = {"indicator": indicator, "time": (tag.get("time") or "").strip()}
        chart.fact(
            *("condition", "risk factor", name, where),
            entity=node,
            status="unknown",
            detail=_kept(detail),
        )
        if indicator:
            chart.link(node, "has indicator", chart.add("indicator", indicator.lower()), source)
        _time(chart, node, tag, source)
    elif tag.tag == MEDICATION.upper():
        classes = [c for c in (tag.get("type1"), tag.get("type2")) if c and c.strip()]
        if not classes:
            return "a medication without a type"
        said = spans[0].get("text") if spans else tag.get("text")
        node = chart.add(MEDICATION, said or classes[0], key=f"{visit}-{said or '-'.join(classes)}")
        chart.has("prescribed with", node, source)
        time = (tag.get("time") or "").strip().lower()
        now = time.startswith(("during", "after"))
        chart.fact(
            *("medication", MEDICATION, said or classes[0], where),
            entity=node,
            status="active" if now else "unknown",
            detail=_kept({"drug class": "\n".join(classes), "time": time}),
        )
        for kind in classes:
            chart.link(node, "has drug class", chart.add("drug class", kind.lower()), source)
        _time(chart, node, tag, source)
    elif tag.tag == "SMOKER":
        status = (tag.get("status") or "").strip().lower()
        if not status:
            return "a smoker tag without a status"
        node = chart.add(
            "smoking status",
            f"{status} smoker" if status in ("current", "past", "ever") else status,
        )
        chart.has("has smoking status", node, source)
        known = "unknown" if status == "unknown" else "completed"
        chart.fact(
            *("observation", "smoking status", "smoking status", where),
            entity=node,
            value=status,
            status=known,
        )
    elif tag.tag == "FAMILY_HIST":
        node = chart.add("family history", (tag.get("indicator") or "not present").lower())
        chart.has("has family history", node, source)
        # The task's family history is one of early coronary artery disease in a near relative.
        absent = (tag.get("indicator") or "not present").lower() != "present"
        chart.fact(
            *("condition", "family history", FACTORS["CAD"], where),
            entity=node,
            role="family member",
            relative="near relative",
            status="unknown",
            certainty="absent" if absent else "confirmed",
        )
    else:
        return "a tag that the task has not"
    chart.link(record, CONTAINS, node, source)
    for inner in spans[:3]:
        said_ = inner.get("text") or ""
        if tag.tag in FACTORS and said_:
            evidence = chart.add("evidence", said_)
            place = f"{file}:{inner.get('start')}-{inner.get('end')}"
            chart.link(node, "has evidence", evidence, place)
    return ""


def _kept(detail: dict[str, str]) -> dict[str, str]:
    return {key: value for key, value in detail.items() if value}


def _time(chart: Chart, node: str, tag: Any, source: str) -> None:
    time = (tag.get("time") or "").strip()
    if time:
        # DCT, the document's creation time, is the visit in a clinician's words.
        said = time.lower().replace("dct", "the visit")
        chart.link(node, "has time", chart.add("time", said, synonyms=(time.lower(),)), source)
