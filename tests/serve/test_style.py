"""The styles stand in the head of every view, and the policy allows exactly them."""

from __future__ import annotations

import base64
import hashlib
import re

import pytest

from osler.serve.style import STYLE, style_source


def _styles(text: str) -> list[str]:
    return re.findall(r"<style>(.*?)</style>", text, re.DOTALL)


@pytest.mark.parametrize("path", ["/", "/papers", "/review", "/docs", "/nothing-is-here"])
def test_a_view_needs_no_second_request_to_be_painted(client, path):
    text = client.get(path).text
    head = text.partition("</head>")[0]
    assert 'rel="stylesheet"' not in head
    assert _styles(head) == [STYLE]


def test_the_policy_names_the_hash_of_what_was_sent(client):
    answer = client.get("/")
    (style,) = _styles(answer.text)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    sources = re.search(r"style-src ([^;]*);", answer.headers["content-security-policy"])
    assert sources is not None
    assert sources[1].split() == ["'self'", f"'sha256-{digest}'"]


def test_another_style_has_another_hash():
    assert style_source("a { color: red }") != style_source("a { color: blue }")


def test_the_styles_cannot_leave_their_element():
    assert "</" not in STYLE
