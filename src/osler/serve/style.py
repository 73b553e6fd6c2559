"""The page's styles, as they stand in the head of every view.

A browser paints nothing before it has the styles. As a file of their own they were asked for over
a second connection while the server was at work on the view: the answer came 10 to 200 ms later
than the frame that it belongs to. In the head they come with it, and the policy that every answer
carries names their hash, so that no other style can be slipped in.
"""

from __future__ import annotations

import base64
import hashlib
from importlib import resources

from markupsafe import Markup

STYLE = (resources.files("osler.serve") / "static" / "osler.css").read_text(encoding="utf-8")


def inline_style() -> Markup:
    """Our own file, word for word: nothing in it comes from outside."""
    return Markup(f"<style>{STYLE}</style>")  # noqa: S704


def style_source(style: str = STYLE) -> str:
    """What a content security policy calls exactly this text."""
    digest = hashlib.sha256(style.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
