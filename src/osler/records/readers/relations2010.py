"""2010 challenge: concepts (``.con``), assertions (``.ast``) and relations (``.rel``) of notes.

Mentions of one name and type in one note are one entity of the patient.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.kinds import FactSource, Reject
from osler.records.chart import Chart
from osler.records.cleanup import is_pronoun
from osler.records.naming import source_name
from osler.records.readers.note_files import any_ends, notes_of, read_text, stems, unpaired
from osler.records.readers.phrase_lines import BadLine, Field, NoteLines, fields
from osler.records.schema import PROBLEM, RELATIONS_2010, TEST, TREATMENT

TYPES = (PROBLEM, TEST, TREATMENT)
ASSERTIONS = {
    "present": "present",
    "absent": "absent",
    "possible": "possible",
    "conditional": "conditional",
    "hypothetical": "hypothetical",
    "associated_with_someone_else": "associated with someone else",
}

# What an assertion says of a problem: certainty, status, role.
SAYS: dict[str, dict[str, str]] = {
    "present": {"certainty": "confirmed"},
    "absent": {"certainty": "absent"},
    "possible": {"certainty": "provisional"},
    "conditional": {"certainty": "conditional"},
    "hypothetical": {"certainty": "conditional", "status": "planned"},
    "associated_with_someone_else": {"role": "other", "relative": "someone else"},
}
KINDS = {PROBLEM: "condition", TEST: "observation", TREATMENT: "procedure"}


@readers.register("i2b2-2010-relations")
class Relations2010(Reader):
    name = "i2b2-2010-relations"
    help = (
        "2010 concepts, assertions, relations: .con, .ast, .rel with their notes (folder or file)"
    )
    gives = "records"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        return any_ends(head, (".con", ".ast", ".rel")) and not any_ends(head, (".chains",))

    def read(self, source: Source) -> Iterator[Item]:
        dataset = source_name(self.options, source, "relations2010")
        kinds = {suffix: stems(source, (suffix,)) for suffix in (".con", ".ast", ".rel")}
        notes = notes_of(source, tuple(kinds))
        names = set[str]().union(*kinds.values())
        for name in sorted(names):
            files = {suffix: paths[name] for suffix, paths in kinds.items() if name in paths}
            yield from _patient(dataset, name, files, notes.get(name))
        yield from unpaired(notes, names, "its concepts")


def _patient(dataset: str, name: str, files: dict[str, Path], note: Path | None) -> Iterator[Item]:
    chart = Chart(dataset, name)
    text = read_text(note) if note is not None else None
    if text is None:
        some = next(iter(files.values()))
        yield Reject(
            some.name, "file", "annotations without a readable note: offsets not checked", id=name
        )
    lines = NoteLines(text) if text is not None else None
    at: dict[tuple[tuple[int, int, int, int], ...], str] = {}
    for suffix in (".con", ".ast", ".rel"):
        if suffix not in files:
            continue
        path = files[suffix]
        for number, line in Source(path).lines():
            if line is not None and not line.strip():
                continue
            try:
                if line is None:
                    raise BadLine("not UTF-8")
                _one(chart, fields(line), suffix, f"{path.name}:{number}", lines, at)
            except BadLine as error:
                yield Reject(path.name, f"line {number}", str(error), id=name)
    yield from chart.items()


def _one(
    chart: Chart,
    parts: list[Field],
    suffix: str,
    source: str,
    lines: NoteLines | None,
    at: dict[tuple[tuple[int, int, int, int], ...], str],
) -> None:
    if lines is not None:
        for part in parts:
            lines.check(part)
    keys = [part.key for part in parts]
    if suffix == ".rel":
        if keys != ["c", "r", "c"] or parts[1].text not in RELATIONS_2010:
            raise BadLine("not concept, relation, concept, or a relation that the task has not")
        ends = [at.get(part.spans) for part in (parts[0], parts[2])]
        if ends[0] is None or ends[1] is None:
            raise BadLine("a relation between concepts that .con does not list")
        chart.link(ends[0], RELATIONS_2010[parts[1].text], ends[1], source)
        return
    if keys[:2] != ["c", "t"] or parts[1].text not in TYPES:
        raise BadLine("not a concept with a type that the task has")
    type, phrase = parts[1].text, parts[0].text
    if is_pronoun(phrase):
        return
    said: dict[str, str] = {}
    if suffix == ".ast":
        if keys != ["c", "t", "a"] or parts[2].text not in ASSERTIONS:
            raise BadLine("not an assertion that the task has")
        said = SAYS[parts[2].text]
    node = chart.add(type, phrase)
    at[parts[0].spans] = node
    file, _, line = source.rpartition(":")
    text, start, end = lines.shown(parts[0]) if lines is not None else ("", 0, 0)
    where = FactSource(file.removesuffix(suffix), f":{line}", start, end, text)
    # An assertion says more of the concept that .con lists at the same words.
    key = parts[0].place or f"{suffix}{line}"
    fields = {"status": "unknown", "entity": node} | said
    chart.fact(KINDS[type], type, phrase, where, key=key, **fields)
    chart.has("has problem" if type == PROBLEM else "received", node, source)
    if suffix == ".ast":
        chart.link(node, "has assertion", chart.add("assertion", ASSERTIONS[parts[2].text]), source)
