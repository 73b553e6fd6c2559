"""What several formats share: identifiers, dates, languages and text, brought to one form."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from osler.kinds import Document, Reject
from osler.settings import MAX_FIELD

MONTHS = {
    name: f"{number:02d}"
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1
    )
}

# MEDLINE's three letters to the two of ISO 639-1, for the languages that journals use most.
LANGUAGES = {
    "ara": "ar", "bul": "bg", "chi": "zh", "cze": "cs", "dan": "da", "dut": "nl", "eng": "en",
    "est": "et", "fin": "fi", "fre": "fr", "ger": "de", "gre": "el", "heb": "he", "hrv": "hr",
    "hun": "hu", "ice": "is", "ind": "id", "ita": "it", "jpn": "ja", "kor": "ko", "lav": "lv",
    "lit": "lt", "nor": "no", "per": "fa", "pol": "pl", "por": "pt", "rum": "ro", "rus": "ru",
    "slo": "sk", "slv": "sl", "spa": "es", "srp": "sr", "swe": "sv", "tha": "th", "tur": "tr",
    "ukr": "uk", "vie": "vi", "zho": "zh", "fra": "fr", "deu": "de", "nld": "nl", "ces": "cs",
    "ell": "el", "fas": "fa", "ron": "ro", "slk": "sk",
}  # fmt: skip
_NAMES = {
    "english": "en", "chinese": "zh", "french": "fr", "german": "de", "spanish": "es",
    "italian": "it", "japanese": "ja", "korean": "ko", "portuguese": "pt", "russian": "ru",
    "polish": "pl", "dutch": "nl", "turkish": "tr",
}  # fmt: skip

_DOI = re.compile(r"^(?:https?://)?(?:dx\.)?(?:doi\.org/)?(?:doi:\s*)?", re.IGNORECASE)
_BAD = re.compile("[\x00\ud800-\udfff]")
_YEAR = re.compile(r"\b(1[5-9]\d\d|20\d\d|21\d\d)\b")
_ISO = re.compile(r"^(\d{4})(?:[-/. ](\d{1,2}|[A-Za-z]{3,9})\.?(?:[-/. ](\d{1,2}))?)?(?![\d])")


def clean(text: str) -> str:
    """Without NUL and lone surrogates, which no file of UTF-8 can hold; blanks at the ends cut."""
    if _BAD.search(text):
        text = _BAD.sub(lambda bad: "" if bad[0] == "\0" else "\ufffd", text)
    return text.strip()


def flat(text: str) -> str:
    """On one line: breaks that only lay out the file become blanks."""
    return " ".join(clean(text).split())


def doi(text: str) -> str:
    """Lower case, without the resolver: ``10.1000/abc``; "" for what is no DOI."""
    bare = clean(text).lower()
    if not bare.startswith("10."):
        bare = _DOI.sub("", bare, count=1)
    return bare if bare.startswith("10.") and "/" in bare else ""


def pmcid(text: str) -> str:
    """``PMC123``; "" for what is none."""
    digits = text.strip().upper().removeprefix("PMCID:").strip().removeprefix("PMC")
    digits = digits.partition(".")[0]
    return f"PMC{digits}" if digits.isascii() and digits.isdigit() else ""


def pmid(text: str) -> str:
    digits = text.strip().lower().removeprefix("pmid:").strip()
    return digits if digits.isascii() and digits.isdigit() and len(digits) <= 12 else ""


def language(text: str) -> str:
    """ISO 639-1 where the code or the name is known, else as given in lower case."""
    code = text.strip().lower()
    if len(code) == 3:
        return LANGUAGES.get(code, code)
    code = _NAMES.get(code, code)
    return code.partition("-")[0].partition("_")[0][:20]


@lru_cache(maxsize=65_536)
def date(year: str, month: str = "", day: str = "") -> str:
    """An ISO date as far as it is known."""
    year = year.strip()
    if not (len(year) == 4 and year.isascii() and year.isdigit()):
        return ""
    month = month.strip()
    if month.isascii() and month.isdigit():
        number = int(month)
        month = f"{number:02d}" if 1 <= number <= 12 else ""
    else:
        month = MONTHS.get(month[:3].lower(), "")
    if not month:
        return year
    day = day.strip()
    if day.isascii() and day.isdigit() and 1 <= int(day) <= 31:
        return f"{year}-{month}-{int(day):02d}"
    return f"{year}-{month}"


def loose_date(text: str) -> str:
    """The first date in a free wording: ``2000 Jan-Feb``, ``2021/03/04``, ``Winter 1998``."""
    text = text.strip()
    if match := _ISO.match(text):
        return date(match[1], match[2] or "", match[3] or "")
    year = _YEAR.search(text)
    return year[0] if year else ""


def oversized(texts: Iterable[str]) -> bool:
    most = MAX_FIELD.get()
    return any(len(text) > most for text in texts)


def too_large(document: Document) -> bool:
    """Whether some field is longer than a field may be."""
    return oversized(
        (
            document.title,
            *(section.text for section in document.sections),
            *(section.text for section in document.full_text),
            *document.keywords,
            *(author.affiliation for author in document.authors),
        )
    )


def size_reject(file: str, place: str, id: str = "") -> Reject:
    return Reject(file, place, f"a field is longer than {MAX_FIELD.get()} characters", id)
