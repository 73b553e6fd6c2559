"""What the page on reviews names is there. (The how-to page is run with all others: tests/docs.)"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("name", ["docs/explanation/review.md"])
def test_what_the_docs_name_is_there(name):
    for path in re.findall(r"`(tests/[\w/.]+)`", (ROOT / name).read_text("utf-8")):
        assert (ROOT / path).is_file(), path
