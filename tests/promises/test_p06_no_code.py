"""P6, P7, P8: what was downloaded runs nothing, fetches nothing, escapes nowhere, fills no memory.

Every fixture here would touch a canary file, or read a secret one, if a loader were careless.
"""

from __future__ import annotations

import functools
import gzip
import hashlib
import io
import json
import os
import pickle
import shutil
import struct
import zipfile
import zlib
from pathlib import Path

import numpy as np
import pytest

from osler import Library
from osler import fetch as fetching
from osler.errors import OslerError
from osler.learn.card import Card
from osler.learn.saved import load_model, save_model

SECRET = "XQZ-secret-of-the-machine"


class Canary:
    """A file that no loader may ever make."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "canary"

    def __reduce__(self):
        return os.system, (f"touch {self.path}",)

    @property
    def sings(self) -> bool:
        return self.path.exists()


@pytest.fixture
def canary(tmp_path):
    made = Canary(tmp_path)
    yield made
    assert not made.sings, "data ran as code"


def poison(canary: Canary) -> bytes:
    return pickle.dumps(canary)


def test_the_poison_works(tmp_path):
    """The fixtures can fail: unpickled by a careless loader, the canary sings."""
    canary = Canary(tmp_path)
    pickle.loads(poison(canary))
    assert canary.sings


def poisoned_array(canary: Canary) -> bytes:
    out = io.BytesIO()
    np.save(out, np.array([canary], dtype=object), allow_pickle=True)
    return out.getvalue()


# -- P6: models ------------------------------------------------------------------------------------

CONFIG = {
    "model_type": "bert",
    "architectures": ["BertModel"],
    "auto_map": {"AutoModel": "modeling.Evil", "AutoConfig": "modeling.Evil"},
    "hidden_size": 8,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "intermediate_size": 16,
    "vocab_size": 5,
    "max_position_embeddings": 16,
}
VOCABULARY = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nheart\n"


def encoder_folder(folder: Path, canary: Canary, **config: object) -> Path:
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({**CONFIG, **config}))
    (folder / "vocab.txt").write_text(VOCABULARY)
    (folder / "modeling.py").write_text(f"import os; os.system('touch {canary.path}')\n")
    return folder


# Kinds other than BERT are loaded by transformers, which is slow to import: two cases of them do.
@pytest.mark.parametrize(
    ("kind", "weights"),
    [
        ("bert", "model.safetensors"),
        ("bert", "pytorch_model.bin"),
        ("bert", "model.bin"),
        ("bert", "model.pt"),
        ("bert", "weights.npy"),
        ("distilbert", "model.safetensors"),
        ("evil", "model.safetensors"),
        ("evil", "pytorch_model.bin"),
    ],
)
def test_an_encoder_folder_runs_nothing(kind, weights, tmp_path, canary):
    from osler.text.encoder import load_encoder

    if kind != "bert":
        pytest.importorskip("transformers")
    folder = encoder_folder(tmp_path / "encoder", canary, model_type=kind)
    data = poisoned_array(canary) if weights.endswith(".npy") else poison(canary)
    (folder / weights).write_bytes(data)
    with pytest.raises(OslerError):
        load_encoder(folder)


@pytest.mark.parametrize("name", ["model.safetensors", "config.json", "card.md"])
def test_a_saved_model_runs_nothing(name, tmp_path, canary):
    folder = save_model(tmp_path / "m", {"w": np.ones(2)}, {}, Card(name="m", what="t"))
    poisoned = poison(canary)
    (folder / name).write_bytes(poisoned)
    if name == "model.safetensors":
        # Even with a SHA-256 that fits.
        config = json.loads((folder / "config.json").read_text())
        config["sha256"] = hashlib.sha256(poisoned).hexdigest()
        (folder / "config.json").write_text(json.dumps(config))
    if name == "card.md":
        load_model(folder, framework="numpy")
    else:
        with pytest.raises(OslerError):
            load_model(folder, framework="numpy")
    for pickled in ("pytorch_model.bin", "model.pkl", "model.joblib", "model.pt"):
        (folder / pickled).write_bytes(poisoned)
    (folder / "model.safetensors").unlink()
    with pytest.raises(OslerError):
        load_model(folder, framework="numpy")


@pytest.mark.parametrize("suffix", [".bin", ".vec", ".npy", ".pkl", ".model", ".safetensors"])
def test_word_vectors_run_nothing(suffix, tmp_path, canary):
    from osler.text.word_vectors import WordVectors

    path = tmp_path / f"vectors{suffix}"
    path.write_bytes(poisoned_array(canary) if suffix == ".npy" else poison(canary))
    with pytest.raises(OslerError):
        WordVectors.load(path)
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in ("vectors.safetensors", "vocabulary.json"):
        shutil.copy(path, folder / name)
    with pytest.raises(OslerError):
        WordVectors.load(folder)


def test_derived_arrays_run_nothing(tmp_path, canary):
    """Every ``.npy`` of a library, replaced by one that unpickles: named, and never unpickled."""
    from promises import whole

    folder = whole.build(tmp_path / "library")
    arrays = [*folder.rglob("*.npy")]
    assert len(arrays) > 50
    for path in arrays:
        path.write_bytes(poisoned_array(canary))
    (records,) = folder.rglob("*.npz")
    with zipfile.ZipFile(records, "w") as packed:
        packed.writestr("type_of.npy", poisoned_array(canary))
        packed.writestr("triples.npy", poisoned_array(canary))
    assert Library.verify_folder(folder)
    with pytest.raises(OslerError), Library.open(folder) as library:
        library.search("asthma", method="concepts")
    with Library.open(folder) as library:
        assert "aspirin" in library.records().names  # made again from the truth
        with pytest.raises(OslerError):
            library.ask("Which drugs does P7 take?")  # what is asked looks at the terminology


@pytest.mark.parametrize(
    "text",
    [
        "!!python/object/apply:os.system ['touch {canary}']",
        "name: !!python/object/new:os.system ['touch {canary}']",
        "what: !!python/name:os.system",
        "? !!python/object/apply:subprocess.check_output [[touch, '{canary}']]",
        "&a [*a, *a]",
    ],
)
def test_yaml_is_plain_data(text, canary):
    from osler.recipes.recipe import parse

    with pytest.raises(OslerError):
        parse(text.replace("{canary}", str(canary.path)), where="evil.yaml")


# -- P7: XML ---------------------------------------------------------------------------------------

_TENFOLD = "".join(
    f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefghi", "bcdefghij", strict=True)
)
LAUGHS = f'<!DOCTYPE r [<!ENTITY a "ha">{_TENFOLD}]>'
XML = {
    "laughs": (LAUGHS, "&j;"),
    "quadratic": ('<!DOCTYPE r [<!ENTITY a "%s">]>' % ("x" * 60_000), "&a;" * 6_000),
    "file": ('<!DOCTYPE r [<!ENTITY e SYSTEM "{secret}">]>', "&e;"),
    "parameter": ('<!DOCTYPE r [<!ENTITY % p SYSTEM "{secret}"> %p;]>', "a"),
    "network": ('<!DOCTYPE r [<!ENTITY e SYSTEM "http://127.0.0.1:9/x">]>', "&e;"),
    "dtd": ('<!DOCTYPE r SYSTEM "{secret}">', "a"),
    "include": (
        "",
        '<i:include xmlns:i="http://www.w3.org/2001/XInclude" parse="text" href="{secret}"/>',
    ),
    "deep": ("", "<b>" * 10_000 + "</b>" * 10_000),
}
READERS = {
    "pubmed": "<PubmedArticleSet>{0}</PubmedArticleSet>",
    "jats": "<pmc-articleset>{0}</pmc-articleset>",
    "mesh-xml": "<DescriptorRecordSet>{0}</DescriptorRecordSet>",
    "i2b2-2006-smoking": "<ROOT>{0}</ROOT>",
    "i2b2-2008-obesity": "<diseaseset>{0}</diseaseset>",
    "i2b2-2012-temporal": "<ClinicalNarrativeTemporalAnnotation>{0}"
    "</ClinicalNarrativeTemporalAnnotation>",
    "i2b2-2014-risk": "<root>{0}</root>",
}
RECORD = {
    "pubmed": "<PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>{0}"
    "</ArticleTitle></Article></MedlineCitation></PubmedArticle>",
    "jats": '<article><front><article-meta><article-id pub-id-type="pmid">1</article-id>'
    "<title-group><article-title>{0}</article-title></title-group></article-meta></front></article>",
    "mesh-xml": "<DescriptorRecord><DescriptorUI>D1</DescriptorUI><DescriptorName><String>{0}"
    "</String></DescriptorName></DescriptorRecord>",
    "i2b2-2006-smoking": '<RECORD ID="1"><SMOKING STATUS="SMOKER"/><TEXT>{0}</TEXT></RECORD>',
    "i2b2-2008-obesity": '<diseases><disease name="{0}"><doc id="1" judgment="Y"/></disease>'
    "</diseases>",
    "i2b2-2012-temporal": "<TEXT>{0}</TEXT><TAGS></TAGS>",
    "i2b2-2014-risk": "<TEXT>{0}</TEXT><TAGS></TAGS>",
}


@pytest.mark.parametrize("kind", list(XML))
@pytest.mark.parametrize("reader", list(READERS))
def test_xml_is_inert(reader, kind, tmp_path):
    import time
    import tracemalloc

    from osler.files.reader import readers
    from osler.files.source import Source

    secret = tmp_path / "secret.txt"
    secret.write_text(SECRET)
    prolog, inner = (part.replace("{secret}", secret.as_uri()) for part in XML[kind])
    path = tmp_path / "file.xml"
    path.write_text(prolog + READERS[reader].format(RECORD[reader].format(inner)))
    start = time.thread_time()
    tracemalloc.start()
    items: list[object] = []
    try:
        for item in readers.get(reader)().read(Source(path)):
            items.append(item)
    except OslerError as error:
        assert SECRET not in str(error)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert SECRET not in repr(items)
    assert "hahaha" not in repr(items)
    assert time.thread_time() - start < 5
    assert peak < 64_000_000


@pytest.mark.parametrize("place", ["text", "attribute"])
@pytest.mark.parametrize("kind", ["laughs", "quadratic", "file", "parameter", "network"])
def test_the_records_parser_expands_nothing(kind, place, tmp_path):
    """Below the readers, which keep little of a note: the whole tree is looked at."""
    from osler.files.source import Source
    from osler.records.safe_xml import parse_xml

    secret = tmp_path / "secret.txt"
    secret.write_text(SECRET)
    prolog, inner = (part.replace("{secret}", secret.as_uri()) for part in XML[kind])
    if place == "attribute" and kind in ("file", "network"):
        pytest.skip("XML forbids external entities in attributes")
    body = f"<r>{inner}</r>" if place == "text" else f'<r a="{inner}"/>'
    path = tmp_path / "file.xml"
    path.write_text(prolog + body)
    try:
        root = parse_xml(Source(path))
    except OslerError as error:
        assert SECRET not in str(error)
        return
    held = "".join(root.itertext()) + "".join(root.attrib.values())
    assert SECRET not in held
    assert "hahaha" not in held
    assert len(held) < 1_000


def test_pubmed_s_own_doctype_is_accepted(tmp_path):
    from osler.files.reader import recognise
    from osler.files.source import Source
    from osler.kinds import Document

    path = tmp_path / "pubmed.xml"
    path.write_text(
        '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE PubmedArticleSet SYSTEM '
        '"http://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_190101.dtd">\n'
        + READERS["pubmed"].format(RECORD["pubmed"].format("Fever"))
    )
    source = Source(path)
    (document,) = recognise(source).read(source)
    assert isinstance(document, Document)
    assert document.title == "Fever"


# -- P8: archives ----------------------------------------------------------------------------------


@pytest.fixture
def shop(tmp_path, monkeypatch):
    """A wheel that names members outside of its folder, links, and devices; a cache to fill."""
    folder = tmp_path / "shop"
    folder.mkdir()
    path = folder / "demo-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("demo/a.txt", "alpha\n")
        archive.writestr("../escaped.txt", "out")
        archive.writestr("/tmp/osler-escaped.txt", "out")
        archive.writestr("demo/..\\..\\escaped.txt", "out")
        link = zipfile.ZipInfo("demo/link")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, str(tmp_path / "secret.txt"))
        archive.writestr("demo/bomb", bytes(30_000_000))
    monkeypatch.setenv("OSLER_CACHE", str(tmp_path / "cache"))
    (tmp_path / "secret.txt").write_text(SECRET)

    def shop(members: dict[str, tuple[str, int]], data: bytes | None = None) -> Path:
        if data is not None:
            path.write_bytes(data)
        held = path.read_bytes()
        wheel = fetching.Wheel(
            "demo", "1.0", path.name, len(held), hashlib.sha256(held).hexdigest()
        )
        wanted = fetching.Thing("demo", "a file", "CC0", wheel, members)
        monkeypatch.setattr(fetching, "THINGS", {"demo": wanted})
        return fetching.fetch("demo", wheel_dir=folder)

    shop.path = path
    yield shop
    outside = list(tmp_path.rglob("*escaped*"))
    assert outside == []
    assert not Path("/tmp/osler-escaped.txt").exists()


def test_a_wheel_gives_only_what_the_table_names(shop, tmp_path):
    folder = shop({"a.txt": ("demo/a.txt", 6)})
    assert sorted(p.name for p in folder.iterdir()) == ["a.txt", "fetched.json"]


def test_a_link_in_a_wheel_is_only_bytes(shop, tmp_path):
    name = str(tmp_path / "secret.txt")
    folder = shop({"a.txt": ("demo/link", len(name))})
    assert not (folder / "a.txt").is_symlink()
    assert (folder / "a.txt").read_text() == name


def test_a_bomb_in_a_wheel_stops_at_the_pinned_size(shop, tmp_path):
    with pytest.raises(OslerError):
        shop({"a.txt": ("demo/bomb", 6)})
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_lying_header_in_a_wheel_is_an_error(shop, tmp_path):
    data = bytearray(shop.path.read_bytes())
    with zipfile.ZipFile(shop.path) as archive:
        for info in archive.infolist():
            if info.filename == "demo/bomb":
                # The central directory says six bytes where thirty million are packed.
                at = data.rindex(b"demo/bomb") - 46
                assert data[at : at + 4] == b"PK\x01\x02"
                struct.pack_into("<I", data, at + 24, 6)
    with pytest.raises(OslerError):
        shop({"a.txt": ("demo/bomb", 6)}, bytes(data))
    assert list((tmp_path / "cache").iterdir()) == []


@functools.cache
def bomb(megabytes: int) -> bytes:
    pack = zlib.compressobj(9, zlib.DEFLATED, 31)
    zeros = bytes(1 << 20)
    return b"".join(pack.compress(zeros) for _ in range(megabytes)) + pack.flush()


@pytest.mark.parametrize("reader", ["pubmed", "beir", "obo", "i2b2-2006-smoking", "trec"])
def test_a_gzip_bomb_stops_early(reader, tmp_path):
    import resource

    from osler.files.reader import readers
    from osler.files.source import Source

    data = bomb(90)
    assert len(data) * 900 < 90 << 20
    path = tmp_path / "bomb.gz"
    path.write_bytes(data)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(OslerError):
        for _ in readers.get(reader)().read(Source(path)):
            pass
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000


def test_nested_gzip_is_not_unpacked_twice(tmp_path):
    from osler.files.source import Source

    path = tmp_path / "twice.gz"
    path.write_bytes(gzip.compress(gzip.compress(b"inner")))
    with Source(path).open() as stream:
        assert stream.read()[:2] == b"\x1f\x8b"


def test_a_library_is_no_way_out(tmp_path, make_library):
    """An encoder's fingerprint or a model's name is never taken as a path."""
    library = make_library()
    library.close()
    (tmp_path / "victim").write_text("mine")
    shutil.copytree(library.path, tmp_path / "copy")
    state = tmp_path / "copy" / "derived" / "knowledge"
    state.mkdir(exist_ok=True)
    (state / "state.json").write_text(
        json.dumps({"format": "1.1.1", "terminology": "../../../victim", "documents": 1})
    )
    with Library.open(tmp_path / "copy") as opened:
        opened.verify()
        assert opened.knowledge is None
    Library.rebuild_folder(tmp_path / "copy")
    assert (tmp_path / "victim").read_text() == "mine"
