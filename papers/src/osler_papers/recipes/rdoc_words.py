"""Word vectors for the paper's rows of the recipe ``rdoc``.

The paper's are fastText's of all PubMed and MIMIC III (300 numbers) and word2vec's of PubMed and
PMC (200). Neither is here. In the first one's place stand the default encoder's vectors of single
words: like fastText it knows a word by its parts, and like the paper's it has read far more than
this set. In the second one's place stands word2vec trained on the PubMed sample, where that is
fetched, and on the set's own abstracts, labels unseen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from osler.errors import NeedsError
from osler.rank.preprocess import words
from osler.rank.words import EncoderWords, Table, Vectors, fasttext_vectors, word_vectors

Progress = Callable[[str], None]
FAST, WORD2VEC = 300, 200


def first_vectors(texts: Sequence[str], *, progress: Progress) -> tuple[Vectors, str]:
    """What stands for fastText, and its name: the encoder's word vectors or, without an encoder,
    fastText of these texts."""
    from osler.text.encoder import load_encoder

    try:
        encoder: Any = load_encoder()
    except NeedsError:
        progress("word vectors: fastText of the set's abstracts")
        return fasttext_vectors(texts, dimension=FAST), "fastText of the set's abstracts"
    progress("word vectors: the encoder's")
    known = sorted({word for text in texts for word in words(text)})
    return Table.of(EncoderWords(encoder), known), "the encoder's vectors of single words"


def second_vectors(
    texts: Sequence[str], *, folder: Path, stamp: str, progress: Progress
) -> tuple[Vectors, str]:
    """What stands for word2vec, and its name; kept in a folder under a stamp."""
    from osler.text.word_vectors import WordVectors

    more = pubmed_texts()
    if not more:
        progress("word vectors: word2vec of the set's abstracts")
        return word_vectors(None, texts, dimension=WORD2VEC), "word2vec of the set's abstracts"
    about = f"word2vec of {len(more)} PubMed abstracts and the set's"
    mark = folder / "stamp"
    if mark.exists() and mark.read_text() == f"{stamp} {len(more)}":
        return WordVectors.load(folder), about
    progress(f"word vectors: {about}")
    corpus = [words(text) for text in (*texts, *more)]
    trained = WordVectors.train(corpus, dimension=WORD2VEC, least=3, epochs=5)
    trained.save(folder)
    mark.write_text(f"{stamp} {len(more)}")
    return trained, about


def pubmed_texts() -> list[str]:
    """Titles with abstracts of the PubMed sample; none where it is not fetched."""
    from osler.corpus.pubmed import PubMed
    from osler.fetch import fetched
    from osler.files.source import Source
    from osler.kinds import Document

    folder = fetched("pubmed-sample")
    if folder is None:
        return []
    return [
        item.text
        for path in sorted(folder.glob("*.xml.gz"))
        for item in PubMed().read(Source(path))
        if isinstance(item, Document) and item.abstract
    ]
