"""2012 temporal challenge: EVENT, TIMEX3, TLINK and SECTIME tags of one note (XML).

Offsets count characters of TEXT. Every event is a node of its own. "A AFTER B" is kept as "B
before A": one relation for one meaning, so that a question about what came before finds both. The
normalised value of a time expression (``1995-10-17`` for ``10/17/95``) is an entity and a synonym
of the expression.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.kinds import Reject
from osler.records.chart import Chart
from osler.records.naming import source_name
from osler.records.readers.note_files import all_named, cited, named_apart, whole_or_rejected
from osler.records.safe_xml import parse_xml
from osler.records.schema import date_of

LINKS = {
    "BEFORE": "before",
    "OVERLAP": "overlap",
    "SIMULTANEOUS": "simultaneous",
    "DURING": "during",
    "BEGUN_BY": "begun by",
    "ENDED_BY": "ended by",
    "BEFORE_OVERLAP": "before overlap",
}
EVENTS = {
    "PROBLEM": "problem",
    "TEST": "test",
    "TREATMENT": "treatment",
    "CLINICAL_DEPT": "clinical department",
    "EVIDENTIAL": "evidential",
    "OCCURRENCE": "occurrence",
}
TIMES = {"DATE": "date", "TIME": "time", "DURATION": "duration", "FREQUENCY": "frequency"}
SECTIMES = {
    "ADMISSION": ("admission time", "admitted on"),
    "DISCHARGE": ("discharge time", "discharged on"),
}

KINDS = {"PROBLEM": "condition", "TEST": "observation", "TREATMENT": "procedure"}
_MODALITIES: dict[str, dict[str, str]] = {
    "POSSIBLE": {"certainty": "provisional"},
    "CONDITIONAL": {"certainty": "conditional"},
    "PROPOSED": {"status": "planned"},
}


def _said(tag: Any) -> dict[str, str]:
    """Polarity and modality of an event as certainty and status; what is denied is absent."""
    said = {"status": "unknown"} | _MODALITIES.get((tag.get("modality") or "").upper(), {})
    if (tag.get("polarity") or "POS").upper() == "NEG":
        said["certainty"] = "absent"
    return said


@readers.register("i2b2-2012-temporal")
class Temporal2012(Reader):
    name = "i2b2-2012-temporal"
    help = (
        "2012 temporal relations: EVENT, TIMEX3, TLINK, SECTIME (XML, a file a note, or a folder)"
    )
    gives = "records"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        if head.is_folder:
            return all_named(head, r"\d+\.xml", "temporal")
        return "ClinicalNarrativeTemporalAnnotation" in head.text

    def read(self, source: Source) -> Iterator[Item]:
        paths = sorted(source.path.rglob("*.xml")) if source.is_folder else [source.path]
        dataset = source_name(self.options, source, "temporal2012")
        for path, name in named_apart(source, paths):
            yield from whole_or_rejected(
                self._note(dataset, Source(path), name), path.name, alone=not source.is_folder
            )

    def _note(self, dataset: str, source: Source, name: str) -> Iterator[Item]:
        root = parse_xml(source)
        text = root.findtext("TEXT")
        tags = root.find("TAGS")
        if text is None or tags is None:
            yield Reject(source.name, "file", "a note without its annotation", id=name)
            return
        chart = Chart(dataset, name)
        nodes: dict[str, str] = {}
        for tag in tags:
            problem = self._tag(chart, tag, text, f"{source.name}:{tag.sourceline}", nodes)
            if problem:
                yield Reject(
                    source.name, f"line {tag.sourceline}", problem, id=tag.get("id") or name
                )
        for tag in tags.iter("TLINK"):
            ends = nodes.get(tag.get("fromID") or ""), nodes.get(tag.get("toID") or "")
            given = (tag.get("type") or "").upper()
            if given == "AFTER":
                given, ends = "BEFORE", (ends[1], ends[0])
            kind = LINKS.get(given)
            if kind is None or ends[0] is None or ends[1] is None:
                reason = "a TLINK with a dangling end or a type that the task has not"
                yield Reject(
                    source.name, f"line {tag.sourceline}", reason, id=tag.get("id") or name
                )
                continue
            chart.link(ends[0], kind, ends[1], f"{source.name}:{tag.sourceline}")
        yield from chart.items()

    def _tag(self, chart: Chart, tag: Any, text: str, source: str, nodes: dict[str, str]) -> str:
        """Add one tag; a reason in words when it cannot be used."""
        if tag.tag not in ("EVENT", "TIMEX3", "SECTIME"):
            return ""
        phrase, id = tag.get("text") or "", tag.get("id") or ""
        problem = offsets(tag, text)
        if problem:
            return problem
        source = f"{source}:{tag.get('start')}-{tag.get('end')}"
        kind = (tag.get("type") or "").upper()
        if tag.tag == "SECTIME":
            if kind not in SECTIMES:
                return "a section time that is neither admission nor discharge"
            type, relation = SECTIMES[kind]
            value = tag.get("dvalue") or tag.get("val") or date_of(phrase)
            node = chart.fresh(type, phrase, synonyms=(value,))
            chart.has(relation, node, source)
            chart.fact(
                *("encounter", type, type.removesuffix(" time"), cited(source, tag, text)),
                entity=node,
                start=date_of(value) or value,
                status="completed",
            )
        elif tag.tag == "TIMEX3":
            if kind not in TIMES:
                return "a time expression of a type that the task has not"
            node = chart.fresh(TIMES[kind], phrase, synonyms=(tag.get("val") or "",))
            chart.has("has event", node, source)
            if tag.get("val"):
                value = chart.add("value", tag.get("val"), cleaned=False)
                chart.link(node, "has value", value, source)
            if (tag.get("mod") or "NA").upper() != "NA":
                quality = chart.add("modality", (tag.get("mod") or "").lower())
                chart.link(node, "has modality", quality, source)
        else:
            if kind not in EVENTS:
                return "an event of a type that the task has not"
            node = chart.fresh(EVENTS[kind], phrase)
            chart.has("has event", node, source)
            where = cited(source, tag, text)
            fields = {"entity": node} | _said(tag)
            chart.fact(KINDS.get(kind, "other"), EVENTS[kind], phrase, where, **fields)
            if (tag.get("polarity") or "POS").upper() != "POS":
                chart.link(node, "has polarity", chart.add("polarity", "negative"), source)
            modality = (tag.get("modality") or "FACTUAL").upper()
            if modality != "FACTUAL":
                chart.link(node, "has modality", chart.add("modality", modality.lower()), source)
        nodes[id] = node
        return ""


def offsets(tag: Any, text: str) -> str:
    """Why a tag's offsets cannot be used; empty when they can, or when it has none."""
    if tag.get("start") is None:
        return ""
    try:
        start, end = int(tag.get("start")), int(tag.get("end"))
    except (TypeError, ValueError):
        return "offsets that are no numbers"
    if not 0 <= start <= end <= len(text) + 1:
        return "offsets past the text"
    said = "".join((tag.get("text") or "").lower().split())
    # The task's own files are off by one in places: one character of slack.
    around = "".join(text[max(0, start - 1) : end + 1].lower().split())
    return "" if said in around or not said else "offsets that cover other words"
