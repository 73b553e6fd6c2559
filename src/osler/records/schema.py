"""What the record readers yield: types, relations, and how values, units, dates, codes are kept.

An entity's name is the text as the record has it (after clean-up). A value with its unit is one
entity of type ``value`` (name ``7.2 %``), a date one of type ``date`` (ISO, ``2020-12-04``), a code
one of type ``code`` whose name is the code and whose id and ``xrefs`` carry the system
(``LOINC:4548-4``). Normalised forms (``1995-10-17`` for ``10/17/95``) are synonyms.
The readers of numbers and dates below are also what `ask` compares with.
"""

from __future__ import annotations

import re

PATIENT = "patient"
RECORD = "record"
DISEASE = "disease"
MEDICATION = "medication"
PROBLEM = "problem"
TEST = "test"
TREATMENT = "treatment"
VALUE = "value"
DATE = "date"
CODE = "code"

HAS_RECORD = "has record"
HAS_NARRATIVE = "has narrative"
CONTAINS = "contains"

# Names of types that stand for the persons whose records these are, best first.
PATIENT_TYPES = (
    *("patient", "patients", "subject", "person", "case", "individual", "病人", "患者"),
    *("inpatient", "outpatient", "pt", "client", "resident", "participant", "mrn", "受试者"),
)
# Within a longer name ("Person (patient)") only these tell.
_TELLING = frozenset(["patient", "patients", "subject", "person", "inpatient", "outpatient"])


def patient_rank(type: str) -> int:
    """How clearly a type's name says that its entities are patients, 0 best; -1 if it does not."""
    words = re.findall(r"[^\W_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type).lower())
    name = " ".join(words)
    if name in PATIENT_TYPES:
        return PATIENT_TYPES.index(name)
    if _TELLING.intersection(words) or any(w in type for w in ("病人", "患者")):
        # Not what belongs to one: a patient's name or number is no patient.
        about = {"name", "id", "number", "address", "age", "type", "status", "group"}
        return -1 if about.intersection(words) else len(PATIENT_TYPES) + len(words)
    return -1


RELATIONS_2010 = {
    "TrIP": "treatment improves problem",
    "TrWP": "treatment worsens problem",
    "TrCP": "treatment causes problem",
    "TrAP": "treatment administered for problem",
    "TrNAP": "treatment not administered because of problem",
    "TeRP": "test reveals problem",
    "TeCP": "test conducted to investigate problem",
    "PIP": "problem indicates problem",
}

_NUMBER = re.compile(r"^\s*[<>=~≤≥]*\s*(-?\d+(?:[.,]\d+)?)(?=$|[\s%*^(/°µ\[]|[a-zA-Z])")
_ISO = re.compile(r"^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?:[T ].*)?$")
_SLASHED = re.compile(r"^(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})$")
_YEAR_FIRST = re.compile(r"^(\d{4})[/年.](\d{1,2})(?:[/月.](\d{1,2})日?)?月?$")


def number_of(name: str) -> float | None:
    """The number that a value's name starts with (``7.2 %`` is 7.2); None if it is no value."""
    if date_of(name):
        return None
    match = _NUMBER.match(name)
    if match is None:
        return None
    digits = match.group(1)
    # 1,200 groups thousands; 7,2 is a decimal comma.
    digits = (
        digits.replace(",", "")
        if re.fullmatch(r"-?\d+,\d{3}", digits)
        else digits.replace(",", ".")
    )
    return float(digits)


def date_of(name: str) -> str:
    """A date's ISO form, partial where the name is; empty if the name is no date."""
    text = name.strip()
    match = _ISO.match(text) or _YEAR_FIRST.match(text)
    if match:
        year, month, day = match.group(1), match.group(2), match.group(3)
        if month is None:
            return year if 1800 <= int(year) <= 2250 else ""
        return _checked(int(year), int(month), int(day) if day else None)
    match = _SLASHED.match(text)
    if match:
        year_number = int(match.group(3))
        if len(match.group(3)) == 2:
            year_number += 1900 if year_number > 30 else 2000
        first, second = int(match.group(1)), int(match.group(2))
        # Month first, as in American notes; a first part above 12 can only be a day.
        month_number, day_number = (second, first) if first > 12 else (first, second)
        return _checked(year_number, month_number, day_number)
    return ""


def date_span(date: str) -> tuple[int, int]:
    """The first and last day of an ISO date, perhaps partial, as yyyymmdd; (0, 0) for no date."""
    digits = date.replace("-", "")
    if not digits.isdigit() or len(digits) not in (4, 6, 8):
        return 0, 0
    return int(digits.ljust(8, "0")), int(digits.ljust(8, "9"))


def _checked(year: int, month: int, day: int | None) -> str:
    if not (1 <= month <= 12) or (day is not None and not 1 <= day <= 31):
        return ""
    return f"{year:04d}-{month:02d}" + (f"-{day:02d}" if day is not None else "")
