"""A stranger's package brings a reader by entry point, and it works as a built-in one does."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

MODULE = """
    from osler.files.reader import Reader
    from osler.kinds import Document

    class Proverbs(Reader):
        name = "proverbs"
        help = "one proverb a line"

        @classmethod
        def recognises(cls, head):
            return head.start.startswith(b"%proverbs")

        def read(self, source):
            for number, line in source.lines():
                if number > 1 and line:
                    yield Document(id=f"p{number}", title=line)
"""
USE = """
    import sys
    from osler.files.reader import readers, recognise
    from osler.files.source import Source

    source = Source(sys.argv[1])
    reader = recognise(source)
    print(reader.name, [paper.title for paper in reader.read(source)])
    assert "proverbs" in readers.names() and "pubmed" in readers.names()
"""


def test_a_reader_is_found_by_entry_point(tmp_path: Path) -> None:
    (tmp_path / "proverbs.py").write_text(textwrap.dedent(MODULE))
    info = tmp_path / "proverbs-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: proverbs\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[osler.readers]\nproverbs = proverbs:Proverbs\n")
    text = tmp_path / "sayings.txt"
    text.write_text("%proverbs\nHaste makes waste\n")
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(USE), str(text)],
        capture_output=True, text=True, env={"PYTHONPATH": str(tmp_path), "PATH": ""}, check=False,
    )  # fmt: skip
    assert done.stdout == "proverbs ['Haste makes waste']\n", done.stderr
