"""The SHA-256 of every pinned package, as pip found it on this platform.

    python tests/promises/hashes.py write   # constraints.txt -> hashes.txt (make hashes)
    python tests/promises/hashes.py check   # every pin has its hash, and no other

pip is asked where it would install from, and its report says what the file's hash is: no index is
named here or in the file. ``make hashed`` installs by it: pip then refuses every other file. Left
out are those whose file depends on where pip is set up to look (torch has a build of its own for
machines without a graphics card, under another name on each index).
"""

from __future__ import annotations

import json
import platform
import re
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PINS, HASHES = ROOT / "constraints.txt", ROOT / "hashes.txt"
OUTSIDE = {"torch"}


def pins() -> dict[str, str]:
    """Versions by name, as pip compares names."""
    found: dict[str, str] = {}
    for line in PINS.read_text("utf-8").splitlines():
        name, mark, version = line.partition("#")[0].strip().partition("==")
        if mark and _same(name) not in OUTSIDE:
            found[_same(name)] = version.partition(";")[0].strip()
    return found


def hashes() -> dict[str, tuple[str, str]]:
    """Version and hash by name."""
    lines = HASHES.read_text("utf-8").replace("\\\n", " ").splitlines()
    pattern = re.compile(r"([^=\s]+)==(\S+)\s+--hash=sha256:([0-9a-f]{64})")
    return {
        _same(found[1]): (found[2], found[3]) for line in lines if (found := pattern.match(line))
    }


def _same(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def write() -> None:
    wanted = [f"{name}=={version}" for name, version in sorted(pins().items())]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        command += ["--dry-run", "--ignore-installed", "--no-deps", "--prefer-binary"]
        subprocess.run([*command, "--report", report, *wanted], check=True)
        told = json.loads(report.read_text("utf-8"))["install"]
    HASHES.write_text(text_of(told), "utf-8")


def text_of(told: list[dict[str, dict[str, dict[str, dict[str, str]]]]]) -> str:
    """The file: one package a line, with the platform that it was made on."""
    lines = [
        f"# Made by `make hashes` on {sysconfig.get_platform()}, CPython "
        f"{'.'.join(platform.python_version_tuple()[:2])}: files of other platforms differ.",
        f"# Without {', '.join(sorted(OUTSIDE))}: its file depends on the index that pip asks.",
    ]
    for one in sorted(told, key=lambda each: _same(str(each["metadata"]["name"]))):
        name, version = one["metadata"]["name"], one["metadata"]["version"]
        digest = one["download_info"]["archive_info"]["hashes"]["sha256"]
        lines.append(f"{_same(str(name))}=={version} --hash=sha256:{digest}")
    return "\n".join(lines) + "\n"


def check() -> list[str]:
    """What does not agree, one line each."""
    pinned, hashed = pins(), hashes()
    wrong = [f"{name}=={version} has no hash" for name, version in pinned.items()
             if name not in hashed]  # fmt: skip
    wrong += [f"{name} is hashed at {version}, pinned at {pinned.get(name, 'nothing')}"
              for name, (version, _) in hashed.items() if pinned.get(name) != version]  # fmt: skip
    return wrong


def main() -> None:
    if sys.argv[1:] == ["write"]:
        write()
    wrong = check()
    print("\n".join(wrong) or f"{len(hashes())} packages, each with its hash")
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
