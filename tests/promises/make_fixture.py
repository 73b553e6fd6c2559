"""Packs the small library of ``whole.py``, and its answers, as the fixture of the present format.

    python tests/promises/make_fixture.py [WITH]

Run it once when the format changes, before the release, and once WITH the name of something that a
library of the same format has come to hold (``facts``); a fixture that is there is never made
again, for it stands for libraries that people have.
"""

from __future__ import annotations

import json
import sys
import tempfile
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from osler.store.layout import FORMAT  # noqa: E402
from promises import whole  # noqa: E402

FIXTURES = Path(__file__).parent / "fixtures"
LONG_AGO = (2020, 1, 1, 0, 0, 0)


def main() -> None:
    more = "".join(f"-{name}" for name in sys.argv[1:2])
    target = FIXTURES / f"format-{FORMAT}{more}.zip"
    if target.exists():
        raise SystemExit(f"{target.name} is there already")
    with tempfile.TemporaryDirectory() as work:
        folder = whole.build(Path(work) / "library")
        for lock in folder.rglob("*.lock"):
            lock.write_bytes(b"")
        with zipfile.ZipFile(target, "w") as packed:
            for path in sorted(p for p in folder.rglob("*") if p.is_file()):
                info = zipfile.ZipInfo(str(path.relative_to(folder.parent)), LONG_AGO)
                packed.writestr(info, path.read_bytes(), zipfile.ZIP_DEFLATED)
            answers = json.dumps(whole.answers(folder), ensure_ascii=False, sort_keys=True)
            info = zipfile.ZipInfo("answers.json", LONG_AGO)
            packed.writestr(info, answers.encode(), zipfile.ZIP_DEFLATED)
    print(f"{target.name}: {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
