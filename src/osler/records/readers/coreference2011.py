"""2011 coreference challenge: ``.chains`` files, ``c="..." l:t l:t||c="..." ..||t="coref
problem"``.

Mentions that only point ("he", "which") are dropped by the clean-up; a chain is kept when two
different phrases remain. The patient is linked to the first phrase of a chain of problems, tests
or treatments; a chain of persons is linked by its coreference itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.kinds import Reject
from osler.records.chart import Chart
from osler.records.cleanup import is_pronoun
from osler.records.naming import source_name
from osler.records.readers.note_files import any_ends, notes_of, read_text, stems, unpaired
from osler.records.readers.phrase_lines import BadLine, NoteLines, fields

OWNS = {"problem": "mentions problem", "test": "mentions test", "treatment": "mentions treatment"}


@readers.register("i2b2-2011-coreference")
class Coreference2011(Reader):
    name = "i2b2-2011-coreference"
    help = "2011 coreference: .chains with their notes (folder or file)"
    gives = "records"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        return any_ends(head, (".chains",))

    def read(self, source: Source) -> Iterator[Item]:
        dataset = source_name(self.options, source, "coreference2011")
        chains = stems(source, (".chains",))
        notes = notes_of(source, (".chains",))
        for name in sorted(chains):
            yield from _patient(dataset, name, chains[name], notes.get(name))
        yield from unpaired(notes, set(chains), "its chains")


def _patient(dataset: str, name: str, path: Path, note: Path | None) -> Iterator[Item]:
    chart = Chart(dataset, name)
    text = read_text(note) if note is not None else None
    if text is None:
        yield Reject(
            path.name, "file", "chains without a readable note: offsets not checked", id=name
        )
    lines = NoteLines(text) if text is not None else None
    for number, line in Source(path).lines():
        if line is not None and not line.strip():
            continue
        try:
            if line is None:
                raise BadLine("not UTF-8")
            _chain(chart, line, f"{path.name}:{number}", lines)
        except BadLine as error:
            yield Reject(path.name, f"line {number}", str(error), id=name)
    yield from chart.items()


def _chain(chart: Chart, line: str, source: str, lines: NoteLines | None) -> None:
    parts = fields(line)
    if len(parts) < 2 or parts[-1].key != "t" or any(part.key != "c" for part in parts[:-1]):
        raise BadLine("not a chain: concepts and then a type")
    if lines is not None:
        for part in parts[:-1]:
            lines.check(part)
    type = parts[-1].text.lower().removeprefix("coref").strip()
    if not type:
        raise BadLine("a chain without a type")
    members: dict[str, None] = {}
    for part in parts[:-1]:
        if not is_pronoun(part.text):
            members[chart.add(type, part.text)] = None
    nodes = list(members)
    if len(nodes) < 2:
        # Nothing is the same as something else here; a lone phrase is still the patient's.
        if nodes and type in OWNS:
            chart.has(OWNS[type], nodes[0], source)
        return
    chart.has(OWNS.get(type, f"coref {type}"), nodes[0], source)
    for at, node in enumerate(nodes):
        for other in nodes[at + 1 :]:
            chart.link(node, f"coref {type}", other, source)
