"""XML is inert, and records are cut out of it one by one."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from osler.errors import FormatError, LimitError, OslerError
from osler.files import xml, xml_encoding
from osler.files.source import Source

LAUGHS = b"""<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "ha">
<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]><r><x>&c;</x></r>"""


PIECES = b"<r> </r> <x> </x> <z> </z> <!-- --> <![CDATA[ ]]> <?p ?> &lt; a \xff \0".split(b" ")


def put(folder: Path, data: bytes) -> Source:
    path = folder / "file.xml"
    path.write_bytes(data)
    return Source(path)


def texts(source: Source, **options: tuple[str, ...]) -> list[str | None]:
    return [
        None if element is None else xml.text_of()(element)
        for batch in xml.batches(source, ("x",), root="r", **options)
        for element in batch.elements
    ]


def external(folder: Path) -> bytes:
    (folder / "secret").write_text("canary")
    return b'<!DOCTYPE r [<!ENTITY e SYSTEM "%s">]><r><x>&e;</x></r>' % (
        (folder / "secret").as_uri().encode()
    )


QUADRATIC = b'<!DOCTYPE r [<!ENTITY a "%s">]><r><x>%s</x></r>' % (b"x" * 50_000, b"&a;" * 5_000)


@pytest.mark.parametrize("kind", ["laughs", "quadratic", "external", "parameter"])
def test_declared_entities_are_refused(kind: str, tmp_path: Path) -> None:
    data = {
        "laughs": LAUGHS,
        "quadratic": QUADRATIC,
        "external": external(tmp_path),
        "parameter": b'<!DOCTYPE r [<!ENTITY % p SYSTEM "http://127.0.0.1:9/x">%p;]><r><x>a</x></r>',
    }[kind]
    with pytest.raises(FormatError, match="declares XML entities"):
        xml.parse(data, name="file")
    with pytest.raises(FormatError, match="declares XML entities"):
        texts(put(tmp_path, data))


def test_utf16_does_not_hide_a_declaration(tmp_path: Path) -> None:
    data = LAUGHS.decode().replace('version="1.0"', 'version="1.0" encoding="utf-16"')
    with pytest.raises(FormatError, match="declares XML entities"):
        xml.parse(data.encode("utf-16"), name="file")
    with pytest.raises(FormatError, match="declares XML entities"):
        texts(put(tmp_path, data.encode("utf-16")))


def test_an_external_dtd_is_named_but_never_fetched(tmp_path: Path) -> None:
    data = b'<!DOCTYPE r PUBLIC "-//x" "http://127.0.0.1:9/none.dtd"><r><x>a</x></r>'
    assert xml.parse(data, name="file").tag == "r"
    assert texts(put(tmp_path, data)) == ["a"]


def test_deep_nesting_is_refused(tmp_path: Path) -> None:
    deep = b"<a>" * 10_000 + b"</a>" * 10_000
    with pytest.raises((FormatError, LimitError)):
        xml.parse(deep, name="file")
    assert texts(put(tmp_path, b"<r><x>a</x><x>" + deep + b"</x><x>b</x></r>")) == ["a", None, "b"]


def test_the_depth_is_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    nested = b"<a>" * 20 + b"</a>" * 20
    assert xml.parse(nested, name="file").tag == "a"
    monkeypatch.setenv("OSLER_MAX_XML_DEPTH", "19")
    with pytest.raises(LimitError, match="deeper than 19"):
        xml.parse(nested, name="file")
    monkeypatch.setenv("OSLER_MAX_XML_DEPTH", "20")
    assert xml.parse(nested, name="file").tag == "a"


def test_xinclude_and_stylesheets_are_only_text(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("canary")
    data = (
        b'<?xml-stylesheet href="secret"?><r><x><xi:include parse="text" href="secret" '
        b'xmlns:xi="http://www.w3.org/2001/XInclude"/></x></r>'
    )
    assert texts(put(tmp_path, data)) == [""]


def test_a_broken_record_costs_itself(tmp_path: Path) -> None:
    data = b"<r><x>a</x><x><y>b</x><x>c</x><x>&nope;</x><x>d\xff</x><x>e</x></r>"
    batch = next(xml.batches(put(tmp_path, data), ("x",), root="r"))
    assert [None if e is None else e.text for e in batch.elements] == [
        "a", None, "c", None, None, "e",
    ]  # fmt: skip
    assert set(batch.reasons) == {1, 3, 4}
    assert all(r.startswith("not well-formed XML") for r in batch.reasons.values())
    assert not any("nope" in reason for reason in batch.reasons.values())


def test_names_that_html_shares_become_characters(tmp_path: Path) -> None:
    assert texts(put(tmp_path, b"<r><x>a&nbsp;&alpha;&amp;</x></r>")) == ["a\xa0α&"]
    assert xml.text_of()(xml.parse(b"<r>&eacute;&lt;</r>", name="f")) == "é<"


def test_an_unknown_name_is_an_error_also_under_a_dtd(tmp_path: Path) -> None:
    start = b'<!DOCTYPE r PUBLIC "-//x" "x.dtd">'
    assert xml.text_of()(xml.parse(start + b"<r>a&nbsp;b</r>", name="f")) == "a\xa0b"
    with pytest.raises(FormatError, match="undeclared entity"):
        xml.parse(start + b"<r>a&unknown;b</r>", name="f")


def test_a_hostile_prolog_costs_no_time() -> None:
    assert xml.root_name(b"<!-- -->" * 1_900 + b"!") == ""
    assert xml.root_name(b"<!DOCTYPE a [" * 1_000) == ""
    assert xml.root_name(b"<?a?>\n" * 2_000 + b"<b>") == "b"


def test_comments_and_cdata_do_not_confuse_the_cutter(tmp_path: Path) -> None:
    data = b"<r><!-- <x>no</x> --><x>a<![CDATA[<z>]]></x><!-- - --><x><!-- <y> -->b</x></r>"
    assert texts(put(tmp_path, data), aside=("z", "y")) == ["a<z>", "b"]


def test_asides_are_cut_out(tmp_path: Path) -> None:
    data = b"<r><x>a<z>1<z>2</z></z>b</x><x>c</x></r>"
    batch = next(xml.batches(put(tmp_path, data), ("x",), root="r", aside=("z",)))
    assert [xml.text_of()(e) for e in batch.elements] == ["ab", "c"]
    assert batch.asides == [b"<z>1<z>2</z></z>", b""]


@pytest.mark.parametrize("cut", [1, 4, 8, 20])
def test_a_file_cut_short_gives_what_was_whole(cut: int, tmp_path: Path) -> None:
    data = b"<r>" + b"".join(b"<x>%d</x>" % n for n in range(10)) + b"</r>"
    got: list[str] = []

    def read() -> None:
        for batch in xml.batches(put(tmp_path, data[:-cut]), ("x",), root="r"):
            got.extend(element.text for element in batch.elements)

    with pytest.raises(FormatError, match="cut short"):
        read()
    assert got == [str(n) for n in range(len(got))]
    assert len(got) >= 7


def test_the_root_is_checked(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="root"):
        texts(put(tmp_path, b"<other><x>a</x></other>"))


def test_too_much_between_records_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LimitError, match="outside of its records"):
        texts(put(tmp_path, b"<r>" + b" " * 6_000_000 + b"<x>a</x></r>"))


@pytest.mark.parametrize(
    ("encoding", "text"), [("utf-16", "发热 é"), ("iso-8859-1", "é"), ("gb18030", "发热")]
)
def test_a_declared_encoding_is_honoured(encoding: str, text: str, tmp_path: Path) -> None:
    data = f'<?xml version="1.0" encoding="{encoding}"?><r><x>{text}</x></r>'.encode(encoding)
    assert xml.root_name(data) == "r"
    assert texts(put(tmp_path, data)) == [text]
    assert xml.text_of()(xml.parse(data, name="file")) == text


@pytest.mark.parametrize("encoding", ["none-such", "rot13", "base64", "zlib"])
def test_an_unknown_encoding_is_an_error(encoding: str, tmp_path: Path) -> None:
    data = f'<?xml version="1.0" encoding="{encoding}"?><r><x>a</x></r>'.encode()
    with pytest.raises(FormatError, match="encoding"):
        texts(put(tmp_path, data))


def test_records_across_reads_are_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"<r>" + b"".join(b"<x>%d</x>\n<!-- c -->" % n for n in range(200)) + b"</r>"
    for size in (1, 2, 3, 7, 64, 65):
        monkeypatch.setattr(xml_encoding, "READ_BYTES", size)
        assert texts(put(tmp_path, data)) == [str(n) for n in range(200)]


@pytest.mark.parametrize(
    ("start", "name"),
    [
        (b"<a/>", "a"),
        (b"\xef\xbb\xbf<?xml version='1.0'?>\n<!-- <b> --><!DOCTYPE c [<!ELEMENT c>]><n:d>", "d"),
        (b"no xml", ""),
        (b"", ""),
        (b"<", ""),
        (b"< a>", ""),
    ],
)  # fmt: skip
def test_the_root_is_named(start: bytes, name: str) -> None:
    assert xml.root_name(start) == name


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=25))
def test_any_pieces_give_elements_or_our_errors(parts: list[bytes]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        source = put(Path(folder), b"".join(parts))
        with contextlib.suppress(OslerError):
            texts(source, aside=("z",))
        with contextlib.suppress(OslerError):
            xml.parse(b"".join(parts), name="file")
