"""2009 medication challenge: one line an entry, ``m="..." l:t
l:t||do=..||mo=..||f=..||du=..||r=..||ln=..``.

``nm`` marks a field that is not mentioned; ``ln`` says whether the entry stands in a list or in
narrative; some releases add ``e`` (event), ``t`` (temporal) and ``c`` (certainty).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.kinds import FactSource, Reject
from osler.records.chart import Chart
from osler.records.naming import source_name
from osler.records.readers.note_files import any_ends, notes_of, read_text, stems, unpaired
from osler.records.readers.phrase_lines import BadLine, Field, NoteLines, fields
from osler.records.schema import CONTAINS, DISEASE, MEDICATION

SUFFIXES = (
    *("_gold.entries", ".gold.entries", ".i2b2.entries", "_i2b2.entries", ".entries"),
    *(".m", ".meds"),
)
ATTRIBUTES = {
    "do": ("dosage", "has dosage"),
    "mo": ("mode", "has mode"),
    "f": ("frequency", "has frequency"),
    "du": ("duration", "has duration"),
    "r": (DISEASE, "has reason"),
    "e": ("event", "has event"),
    "t": ("time", "has time"),
    "c": ("certainty", "has certainty"),
    "ln": ("context", "found in"),
}


@readers.register("i2b2-2009-medication")
class Medication2009(Reader):
    name = "i2b2-2009-medication"
    help = "2009 medication challenge: m/do/mo/f/du/r/ln lines with their notes (folder or file)"
    gives = "records"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        if head.is_folder:
            return any_ends(head, SUFFIXES)
        return head.text.lstrip().startswith('m="') and '|do="' in head.text

    def read(self, source: Source) -> Iterator[Item]:
        dataset = source_name(self.options, source, "medication2009")
        annotations = stems(source, SUFFIXES)
        if not annotations and not source.is_folder:
            annotations = {source.path.name.split(".")[0]: source.path}
        notes = notes_of(source, SUFFIXES)
        for name in sorted(annotations):
            yield from _patient(dataset, name, annotations[name], notes.get(name))
        yield from unpaired(notes, set(annotations), "its medication entries")


_TIMES = {"past": "completed", "present": "active", "future": "planned"}


def _fact(
    chart: Chart,
    entry: dict[str, Field],
    drug: str,
    file: str,
    number: int,
    lines: NoteLines | None,
) -> None:
    """An entry as a fact; event, time and certainty where the release has them."""
    said = {key: field.text for key, field in entry.items() if field.text not in ("", "nm")}
    stopped = "stop" in said.get("e", "").lower()
    status = _TIMES.get(said.get("t", "").lower(), "unknown")
    sure = said.get("c", "factual").lower()
    certainty = {"factual": "confirmed", "conditional": "conditional"}.get(sure, "provisional")
    text, start, end = lines.shown(entry["m"]) if lines is not None else ("", 0, 0)
    detail = {"dosage": "do", "route": "mo", "frequency": "f", "duration": "du", "event": "e"}
    chart.fact(
        *("medication", MEDICATION, said["m"], FactSource(file, f":{number}", start, end, text)),
        entity=drug,
        status="stopped" if stopped else status,
        certainty=certainty,
        dose=", ".join(said[key] for key in ("do", "f") if key in said),
        reason=said.get("r", ""),
        detail={name: said[key] for name, key in detail.items() if key in said},
    )


def _patient(dataset: str, name: str, path: Path, note: Path | None) -> Iterator[Item]:
    chart = Chart(dataset, name)
    text = read_text(note) if note is not None else None
    if text is None:
        yield Reject(
            path.name, "file", "entries without a readable note: offsets not checked", id=name
        )
    lines = NoteLines(text) if text is not None else None
    record = chart.record(f"record {name}", note.name if note is not None else path.name)
    if text is not None and note is not None:
        chart.narrative(record, text, note.name)
    for number, line in Source(path).lines():
        if line is not None and not line.strip():
            continue
        try:
            if line is None:
                raise BadLine("not UTF-8")
            entry = {field.key: field for field in fields(line)}
            if "m" not in entry or entry["m"].text in ("", "nm"):
                raise BadLine("an entry without a medication")
            if lines is not None:
                for field in entry.values():
                    lines.check(field)
        except BadLine as error:
            yield Reject(path.name, f"line {number}", str(error), id=name)
            continue
        source = f"{path.name}:{number}"
        drug = chart.fresh(MEDICATION, entry["m"].text)
        _fact(chart, entry, drug, path.name, number, lines)
        chart.has("prescribed with", drug, source)
        chart.link(record, CONTAINS, drug, source)
        for key, (type, relation) in ATTRIBUTES.items():
            field_ = entry.get(key)
            if field_ is None or field_.text in ("", "nm"):
                continue
            own = key in ("do", "mo", "f", "du")
            node = chart.fresh(type, field_.text) if own else chart.add(type, field_.text)
            chart.link(drug, relation, node, source)
            if key == "r":
                chart.has("has condition", node, source)
    yield from chart.items()
