"""One answerer over the small ward, for all tests of forms."""

from __future__ import annotations

import pytest

from osler.ask.form.answering import FormAnswerer

from .ward import answerer


@pytest.fixture(scope="package")
def asked() -> FormAnswerer:
    return answerer()
