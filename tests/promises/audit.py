"""Known weaknesses of the pinned packages, looked up without a network.

    python tests/promises/audit.py constraints.txt DATABASE

DATABASE is the export of the Python part of the OSV database (a zip or a folder of JSON records,
published at osv.dev), brought to the machine by whatever way is allowed there. Exit code 1 when a
pinned version is affected. With a network, ``pip-audit -r constraints.txt`` asks the same.
"""

from __future__ import annotations

import json
import re
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from packaging.version import InvalidVersion, Version


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned(path: Path) -> dict[str, str]:
    """Versions by package, from lines of ``name==version``."""
    found = {}
    for line in path.read_text("utf-8").splitlines():
        name, mark, version = line.split("#", 1)[0].split(";", 1)[0].strip().partition("==")
        if mark:
            found[normal(name)] = version.strip()
    return found


def records(path: Path) -> Iterator[dict[str, Any]]:
    if path.is_dir():
        for file in sorted(path.glob("*.json")):
            yield json.loads(file.read_text("utf-8"))
        return
    with zipfile.ZipFile(path) as packed:
        for name in packed.namelist():
            if name.endswith(".json"):
                yield json.loads(packed.read(name))


def affects(affected: dict[str, Any], version: str) -> bool:
    """Whether a version is listed, or lies in one of the ranges (introduced, fixed, last)."""
    if version in affected.get("versions", ()):
        return True
    try:
        here = Version(version)
    except InvalidVersion:
        return False
    for span in affected.get("ranges", ()):
        if span.get("type") != "ECOSYSTEM":
            continue
        inside = False
        for event in span.get("events", ()):
            try:
                if "introduced" in event:
                    start = event["introduced"]
                    inside = inside or start == "0" or here >= Version(start)
                elif "fixed" in event:
                    inside = inside and here < Version(event["fixed"])
                elif "last_affected" in event:
                    inside = inside and here <= Version(event["last_affected"])
            except InvalidVersion:
                continue
        if inside:
            return True
    return False


def weaknesses(pins: dict[str, str], database: Path) -> list[str]:
    found = []
    for record in records(database):
        if record.get("withdrawn"):
            continue
        for affected in record.get("affected", ()):
            package = affected.get("package", {})
            name = normal(str(package.get("name", "")))
            ours = package.get("ecosystem") == "PyPI" and name in pins
            if ours and affects(affected, pins[name]):
                found.append(f"{name} {pins[name]}: {record['id']} {record.get('summary', '')}")
                break
    return sorted(found)


def main() -> None:
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    pins = pinned(Path(sys.argv[1]))
    found = weaknesses(pins, Path(sys.argv[2]))
    print("\n".join([*found, f"{len(pins)} packages looked up, {len(found)} weaknesses known"]))
    raise SystemExit(bool(found))


if __name__ == "__main__":
    main()
