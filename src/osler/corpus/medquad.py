"""MedQuAD's own form: one XML file a page, questions with answers about one focus.

``Document`` (``id``, ``source``, ``url``) holds ``Focus``, notes on it and ``QAPairs``; a
``QAPair`` holds ``Question`` (``qid``, ``qtype``) and ``Answer``. Answers that the authors had to
take out are empty: they come as rejects. The set is CC BY 4.0; whoever adds it has fetched it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from osler.corpus import fields
from osler.errors import FormatError, LimitError, OslerError
from osler.files.reader import Item, Reader, readers
from osler.files.source import LINE_FIELDS, Head, Source
from osler.files.xml import parse, root_name, text_of
from osler.kinds import Pair, Reject
from osler.settings import MAX_FIELD

ROOT = "Document"
BETWEEN = "|"


@readers.register("medquad")
class MedQuAD(Reader):
    """A pair's id is the question's own (``qid``); focus, its synonyms (between bars), type, source
    and address go into the metadata, so that a pair says what it is about, what else that is
    called, and what was asked."""

    name = "medquad"
    help = "MedQuAD's XML: questions with answers about one focus"
    gives = "pairs"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        return root_name(head.start) == ROOT and (
            b"<QAPairs" in head.start or b"<Focus" in head.start
        )

    def read(self, source: Source) -> Iterator[Item]:
        if not source.is_folder:
            yield from self._page(source)
            return
        paths = sorted(path for path in source.path.rglob("*.xml") if path.is_file())
        if not paths:
            raise FormatError(f"{source.name} holds no XML", cure="give MedQuAD's own folder")
        for path in paths:
            page = Source(path, name=path.relative_to(source.path).as_posix())
            try:
                yield from self._page(page)
            except OslerError as error:
                # One bad page is one reject: the others are read.
                yield Reject(page.name, "record 1", error.message)

    def _page(self, source: Source) -> Iterator[Item]:
        most = MAX_FIELD.get() * LINE_FIELDS
        with source.open() as stream:
            whole = stream.read(most + 1)
        if not whole.removeprefix(b"\xef\xbb\xbf").strip():
            raise FormatError(f"{source.name} is empty")
        if len(whole) > most:
            raise LimitError(f"{source.name} is larger than one page may be")
        root = parse(whole, name=source.name)
        if root.tag != ROOT:
            raise FormatError(f"{source.name} is no page of MedQuAD")
        pairs = root.findall("QAPairs/QAPair")
        if not pairs:
            yield Reject(source.name, "record 1", "a page without questions")
        for number, pair in enumerate(pairs, 1):
            yield _item(root, pair, source.name, f"record {number}")


def _text(element: Any) -> str:
    if element is None:
        return ""
    # Lines of an answer are its lists: they stay apart.
    lines = str(text_of()(element)).splitlines()
    kept = (" ".join(line.split()) for line in lines)
    return fields.clean("\n".join(line for line in kept if line)).strip()


def _item(root: Any, pair: Any, file: str, place: str) -> Pair | Reject:
    asked, answered = pair.find("Question"), pair.find("Answer")
    question, answer = _text(asked).replace("\n", " "), _text(answered)
    if not question or not answer:
        return Reject(file, place, "no question" if not question else "no answer")
    if max(len(question), len(answer)) > MAX_FIELD.get():
        return Reject(file, place, f"a text longer than {MAX_FIELD.get()} characters")
    id = fields.clean(asked.get("qid") or "").strip()
    if not id:
        page, number = root.get("id") or "", pair.get("pid") or ""
        id = f"{page}-{number}" if page and number else ""
    if not 0 < len(id) <= 500:
        return Reject(file, place, "a question without an id")
    known = {
        "focus": _text(root.find("Focus")).replace("\n", " "),
        "type": asked.get("qtype") or "",
        "source": root.get("source") or "",
        "url": root.get("url") or "",
    }
    synonyms = (_text(one).replace("\n", " ") for one in root.iterfind("FocusAnnotations//Synonym"))
    known["synonyms"] = BETWEEN.join(dict.fromkeys(one for one in synonyms if one))
    metadata = {name: fields.clean(value) for name, value in known.items() if value.strip()}
    return Pair(id=id, question=question, answer=answer, metadata=metadata)
