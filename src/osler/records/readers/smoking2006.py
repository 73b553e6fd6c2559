"""2006 smoking challenge: one XML file of records, each with its smoking status.

``<RECORD ID="7"><SMOKING STATUS="PAST SMOKER"/><TEXT>...</TEXT></RECORD>``. The statuses are
CURRENT SMOKER, PAST SMOKER, SMOKER, NON-SMOKER, UNKNOWN. Smoking-related facts are the sentences
of the note that speak of smoking.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.kinds import FactSource, Reject
from osler.records.chart import Chart
from osler.records.naming import source_name
from osler.records.safe_xml import parse_xml

STATUSES = frozenset({"CURRENT SMOKER", "PAST SMOKER", "SMOKER", "NON-SMOKER", "UNKNOWN"})
_SMOKES = re.compile(
    r"\b(?:smok\w*|tobacco|cigar\w*|nicotine|packs?(?:[ -](?:per|a)[ -]day|[ -]years?)|ppd)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]?")


def _evidence(text: str, file: str, line: int) -> FactSource:
    """The first sentence of the note that speaks of smoking."""
    for match in _SENTENCE.finditer(text):
        sentence = " ".join(match.group().split())
        word = _SMOKES.search(sentence)
        if word:
            return FactSource(file, f":{line}", word.start(), word.end(), sentence)
    return FactSource(file, f":{line}")


@readers.register("i2b2-2006-smoking")
class Smoking2006(Reader):
    name = "i2b2-2006-smoking"
    help = "2006 smoking challenge: records with SMOKING STATUS (XML)"
    gives = "records"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        return "<RECORD" in head.text and "<SMOKING" in head.text

    def read(self, source: Source) -> Iterator[Item]:
        dataset = source_name(self.options, source, "smoking2006")
        root = parse_xml(source)
        for number, element in enumerate(root.iter("RECORD"), 1):
            id = (element.get("ID") or "").strip()
            place = f"record {number}"
            if not id:
                yield Reject(source.name, place, "a record without an ID")
                continue
            marks = element.findall("SMOKING")
            text = element.findtext("TEXT") or ""
            if not marks:
                yield Reject(source.name, place, "a note without its annotation", id=id)
            chart = Chart(dataset, id)
            file = f"{source.name}#{id}"
            record = chart.record(f"record {id}", file)
            for mark in marks:
                status = (mark.get("STATUS") or "").strip()
                if status.upper() not in STATUSES:
                    yield Reject(
                        source.name, place, "a smoking status that is none of the five", id=id
                    )
                    continue
                where = f"{source.name}:{mark.sourceline}"
                node = chart.add("smoking status", status.lower(), cleaned=False)
                chart.has("has smoking status", node, where)
                chart.fact(
                    *("observation", "smoking status", "smoking status"),
                    _evidence(text, source.name, mark.sourceline),
                    entity=node,
                    value=status.lower(),
                    status="unknown" if status.upper() == "UNKNOWN" else "completed",
                )
                for match in _SENTENCE.finditer(text):
                    sentence = " ".join(match.group().split())
                    if _SMOKES.search(sentence):
                        start = match.start() + len(match.group()) - len(match.group().lstrip())
                        fact = chart.add("smoking fact", sentence, cleaned=False)
                        chart.link(node, "has evidence", fact, f"{file}:{start}-{match.end()}")
            chart.narrative(record, text, file)
            yield from chart.items()
