"""Flips bytes of a library's files and cuts them short, and asks what came of it.

``python damage.py --seconds 600`` goes on for as long as it is told and prints what it counted.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from osler import Library  # noqa: E402
from osler.errors import OslerError  # noqa: E402
from promises import whole  # noqa: E402


def files(folder: Path) -> list[Path]:
    """Everything that holds something; locks hold nothing that is read."""
    return sorted(
        path.relative_to(folder)
        for path in folder.rglob("*")
        if path.is_file() and path.stat().st_size and not path.name.endswith(".lock")
    )


def flipped(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    changed[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.choice([0, 1, len(data) // 2, len(data) - 1, rng.randrange(len(data))])]


def outcome(folder: Path, expected: Any) -> str:
    """``named`` (verify or the opening says what is damaged), ``same`` (no answer changes);
    anything else is a broken promise."""
    try:
        if Library.verify_folder(folder):
            return "named"
        given = whole.answers(folder)
    except OslerError as error:
        return "named" if error.code.startswith(("E2", "E3")) else f"another error: {error}"
    if given == expected:
        return "same"
    differ = [key for key in expected if given.get(key) != expected[key]]
    return f"unnoticed: {', '.join(differ)[:200]}"


def trial(sound: Path, work: Path, name: Path, data: bytes, expected: Any) -> str:
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(sound, work)
    (work / name).write_bytes(data)
    return outcome(work, expected)


def _forked(sound: Path, work: Path, name: Path, data: bytes, expected: Any) -> str:
    """In a child: a damaged file must not even kill the process."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        try:
            told = trial(sound, work, name, data, expected)
        except BaseException as error:
            told = f"crash: {type(error).__name__}: {error}"[:300]
        os.write(writer, told.encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        told = stream.read().decode()
    _, status = os.waitpid(child, 0)
    return told or f"crash: signal {os.WTERMSIG(status)}"


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--seconds", type=float, default=60)
    asked.add_argument("--seed", type=int, default=0)
    asked.add_argument("--only", default="")
    given = asked.parse_args()
    rng = random.Random(given.seed)
    end = time.monotonic() + given.seconds
    counts: Counter[str] = Counter()
    bad: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        sound = Path(folder) / "sound"
        whole.build(sound)
        expected = whole.answers(sound)
        names = [name for name in files(sound) if given.only in str(name)]
        sizes = [(sound / name).stat().st_size ** 0.5 for name in names]
        while time.monotonic() < end:
            (name,) = rng.choices(names, sizes)
            data = (sound / name).read_bytes()
            kind = "cut" if rng.random() < 0.15 else "flip"
            changed = (cut if kind == "cut" else flipped)(data, rng)
            told = _forked(sound, Path(folder) / "copy", name, changed, expected)
            counts[kind] += 1
            counts[told.split(":")[0]] += 1
            if told not in ("named", "same"):
                pairs = zip(data, changed, strict=False)
                place = next((i for i, (a, b) in enumerate(pairs) if a != b), -1)
                bad.setdefault(f"{name} {kind} {place}", told)
    print(json.dumps({"files": len(names), **counts, "bad": bad}, indent=1))
    raise SystemExit(bool(bad))


if __name__ == "__main__":
    main()
