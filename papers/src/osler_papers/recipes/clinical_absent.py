"""Questions that no records of ours answer: what staff asked of tables in vain, and what no record
holds."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Sequence
from pathlib import Path
from random import Random

# Things that people ask of a clinic and that none of these knowledge bases hold.
_NEVER = (
    "What is the phone number of |P|?",
    "How much did the stay of |P| cost?",
    "When is the next appointment of |P|?",
    "What is the e-mail address of patient |P|?",
    "Who visited |P| yesterday?",
    "Which room is |P| in right now?",
    "How many children does |P| have?",
    "What did |P| eat for breakfast?",
    "Which school did |P| go to?",
    "Has the bill of |P| been paid?",
    "What is the shoe size of |P|?",
    "Did |P| sign the consent form?",
    "Which car does |P| drive?",
    "How does |P| feel about the food?",
    "Who is the emergency contact of |P|?",
    "What will the weather be when |P| goes home?",
    "Which football club does |P| support?",
    "What salary does |P| earn?",
    "Which newspaper does patient |P| read?",
    "What colour is the hair of |P|?",
    "Who is the landlord of |P|?",
    "Which language course is |P| attending?",
    "What grade did |P| get in school?",
    "List the pets of |P|.",
    "Give me the passport number of |P|.",
    "What nickname does |P| have?",
    "Which bank account does |P| use?",
    "When does the train of |P| leave?",
    "Why is |P| angry with the porter?",
    "How far is it from the ward to the house of |P|?",
    "Which hobby does |P| have?",
    "What is the star sign of |P|?",
    "Which university did |P| attend?",
    "Provide the wifi password of |P|.",
    "What was the parking fee of |P|?",
    "Which lawyer represents |P|?",
)


def off_the_record(people: Sequence[str], rng: Random, *, count: int) -> list[str]:
    """Questions about known patients that their records cannot answer."""
    return [_NEVER[at % len(_NEVER)].replace("|P|", rng.choice(people)) for at in range(count)]


def ehrsql_absent(data: Path, *, learn: bool) -> list[str]:
    """ehrsql's unanswerable questions; one half is for learning, the other for testing."""
    path = data / "ehrsql" / "questions.jsonl.gz"
    if not path.is_file():
        return []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    asked = [row["question"] for row in rows if row["is_impossible"]]
    return [text for text in asked if (zlib.crc32(text.encode()) % 2 == 0) == learn]


def about_known(texts: Sequence[str], people: Sequence[str], rng: Random) -> list[str]:
    """The same questions about patients that are in the records."""
    return [re.sub(r"(?<=patient )\d+", lambda _: rng.choice(people), text) for text in texts]
