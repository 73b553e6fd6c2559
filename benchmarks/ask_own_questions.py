"""Our own questions over the same records, in other wordings than ask_fhir's, with gold counted
from the raw JSON and tables by ask_questions/ alone (nothing of Osler is imported).

python benchmarks/ask_own_questions.py DATA [own|own2|own3|...|own12] > own.jsonl
python benchmarks/ask_fhir.py --data DATA --questions own.jsonl
"""

from __future__ import annotations

import importlib
import json
import sys

FILES = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
)
SETS = {f"own{at}" if at > 1 else "own": file for at, file in enumerate(FILES, 1)}


def main() -> None:
    name = sys.argv[2] if len(sys.argv) > 2 else "own"
    questions = importlib.import_module(f"ask_questions.{SETS[name]}").questions
    for number, (kind, style, where, question, rule, gold, *more) in enumerate(questions(), 1):
        row = {
            "id": f"{name}{number:03}",
            "kind": kind,
            "family": f"{name}-{style}",
            "style": style,
            "set": where,
            "question": question,
            "rule": rule,
            "gold": gold,
        }
        for extra in more:
            row |= extra
        print(json.dumps(row, ensure_ascii=False))


if __name__ == "__main__":
    main()
