"""How much memory a large FHIR bundle costs.

    python benchmarks/records_memory.py [--megabytes 347] [--folder FOLDER] [--add]

A bundle of that size is made (patients whose own resource stands after what speaks of them), then
read by a process of its own, whose peak is printed: by the reader alone, or (--add) into a library.
Exit code 1 where the peak is 500 MB or more.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

LIMIT = 500
"""Megabytes."""
FILLER = "Taken by a nurse at the bedside, checked against the chart, and signed. " * 8

READ = """
import resource, sys
from osler.files.reader import recognise
from osler.files.source import Source
from osler.kinds import Fact
from osler.store.facts import is_record
source = Source(sys.argv[1])
count = sum(isinstance(i, Fact) and is_record(i) for i in recognise(source).read(source))
print(count, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""
ADD = """
import resource, sys
from osler import Library
with Library.create(sys.argv[2]) as library:
    counts = library.add([sys.argv[1]]).counts
print(counts["records"], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def resources(number: int, chance: random.Random) -> Iterator[dict[str, Any]]:
    """A patient's resources; the patient's own comes last, as nothing forbids."""
    subject = {"reference": f"Patient/p{number}"}
    for at in range(60):
        code = f"{chance.randrange(1000, 9999)}-{at % 10}"
        yield {
            "resourceType": "Observation",
            "id": f"o{number}-{at}",
            "status": "final",
            "subject": subject,
            "code": {"coding": [{"system": "http://loinc.org", "code": code, "display": code}]},
            "effectiveDateTime": f"20{at % 20:02}-0{1 + at % 9}-1{at % 9}",
            "valueQuantity": {"value": round(chance.uniform(1, 200), 3), "unit": "mg/dL"},
            "note": [{"text": FILLER}],
        }
    for at in range(6):
        yield {
            "resourceType": "Condition",
            "id": f"c{number}-{at}",
            "subject": subject,
            "code": {"text": f"Condition {chance.randrange(500)}"},
            "onsetDateTime": "2015-02-03",
        }
    yield {
        "resourceType": "Patient",
        "id": f"p{number}",
        "name": [{"given": [f"Given{number}"], "family": f"Family{number % 977}"}],
        "birthDate": "1950-02-03",
    }


def write(path: Path, megabytes: int) -> int:
    """A bundle of at least that size; how many entries."""
    chance = random.Random(0)
    entries = number = 0
    with path.open("w", encoding="utf-8") as stream:
        stream.write('{"resourceType": "Bundle", "type": "collection", "entry": [')
        while stream.tell() < megabytes * 1_000_000:
            for resource in resources(number, chance):
                stream.write((",\n" if entries else "") + json.dumps({"resource": resource}))
                entries += 1
            number += 1
        stream.write("]}")
    return entries


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--megabytes", type=int, default=347)
    options.add_argument("--folder", type=Path)
    options.add_argument("--add", action="store_true", help="into a library, not only read")
    given = options.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        path = Path(folder) / "large.json"
        entries = write(path, given.megabytes)
        script = ADD if given.add else READ
        command = [sys.executable, "-c", script, str(path), str(Path(folder) / "library")]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        records, peak = map(int, done.stdout.split())
        size = path.stat().st_size / 1e6
    print(f"{size:.0f} MB, {entries:,} entries, {records:,} records, peak {peak} MB")
    return int(peak >= LIMIT or records != entries)


if __name__ == "__main__":
    sys.exit(main())
