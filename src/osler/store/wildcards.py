"""Words with wildcards as patterns of index terms: ``*`` any letters, ``?`` one or none, ``#`` one.

Terms are stems, and what is asked for are words: where few words can be meant, each is brought to
its stem (``randomi#ed`` stands for randomis and random); beside that the pattern is laid over the
stems as it is.
"""

from __future__ import annotations

import re
import string
from itertools import product

from osler.store.analyser import analyse, plain_words

MOST = 1_500
"""Words that a pattern is spelled out to."""
_LETTERS = string.ascii_lowercase + string.digits
_CHOICES = {"?": ("", *_LETTERS), "#": tuple(_LETTERS)}
_REGEX = {"*": ".*", "?": ".?", "#": "."}
_FILLINGS = ("e", "ae", "at", "atore")
"""What may stand for a ``*`` inside a word: how an ending is cut depends on what is before it."""
_LEFT = 4
"""Letters that must be left of such a word beside its ``*``: fewer would be any word."""
_MARKS = re.compile(r"[*?#]")
_STANDS_FOR = str.maketrans({"*": "\ue000", "?": "\ue001", "#": "\ue002"})
_PIECE = re.compile(r"[\w\ue000-\ue002]+")
_STARS = re.compile(r"\*{2,}")


def pieces(text: str) -> list[str]:
    """The words of a text, folded like index words, their wildcards kept; those without any are
    brought to their stem."""
    listed: list[str] = []
    # Many stars in a row mean what one does, and cost what many do.
    for piece in _PIECE.findall(_STARS.sub("*", text).translate(_STANDS_FOR)):
        whole = piece.replace("\ue000", "*").replace("\ue001", "?").replace("\ue002", "#")
        if _MARKS.search(whole):
            listed.append(_folded(whole))
        else:
            listed.extend(analyse(whole))
    return listed


def _folded(piece: str) -> str:
    """Letters in lower case without accents, marks where they were."""
    parts = re.split(r"([*?#])", piece)
    return "".join(
        part if _MARKS.fullmatch(part) else "".join(plain_words(part)) for part in parts if part
    )


def word_pattern(piece: str) -> str:
    """A regular expression over index terms for one of ``pieces``."""
    if not _MARKS.search(piece):
        return re.escape(piece)
    over = "".join(_REGEX.get(letter) or re.escape(letter) for letter in piece)
    begins = piece.rstrip("?#*")
    words = {begins} if begins != piece and not _MARKS.search(begins) else set()
    if "*" not in piece.rstrip("*"):
        body = piece.rstrip("*")
        choices = [_CHOICES.get(letter, (letter,)) for letter in body]
        size = 1
        for each in choices:
            size *= len(each)
        if size <= MOST:
            words |= {"".join(letters) for letters in product(*choices)}
    stems = {re.escape(stem) for word in words for stem in analyse(word)}
    others = sorted((stems | _open_stems(piece)) - {over})
    return f"({'|'.join([over, *others])})" if others else over


def _open_stems(piece: str) -> set[str]:
    """Patterns of the stems of words with one ``*`` inside, however the letters there end:
    ``p*diatrics`` stands for pediatr and paediatr."""
    begins, _, ends = piece.partition("*")
    if not begins or not ends or _MARKS.search(begins + ends):
        return set()
    patterns = set()
    for filling in _FILLINGS:
        for stem in analyse(begins + filling + ends):
            if len(stem) > len(begins + filling) and stem.startswith(begins + filling):
                tail = stem[len(begins + filling) :]
                if len(begins + tail) >= _LEFT:
                    patterns.add(f"{re.escape(begins)}.*{re.escape(tail)}")
    return patterns
