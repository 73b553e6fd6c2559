"""Heat as a page of its own: its policy lets in its own style, and nothing else is needed."""

from __future__ import annotations

import base64
import hashlib
import re

from osler.explain.heat import heat_page
from osler.kinds import Heat


def test_the_page_keeps_its_own_policy():
    page = heat_page("A fact", [("A paper", [Heat("RCor", (("cough", 1.0), ("and", 0.0)))])])
    style = re.search(r"<style>(.*?)</style>", page, re.S).group(1)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in page
    assert "unsafe-inline" not in page
    assert 'style="' not in page
    assert '<span class="h h5" title="1.000">cough</span>' in page
    assert ".h5{" in style
