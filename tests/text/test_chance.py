"""How a probability is shown."""

from __future__ import annotations

import pytest

from osler.text.chance import chance


@pytest.mark.parametrize(
    ("probability", "shown"),
    [
        (0.0, "0.00"),
        (0.0001, "under 0.01"),
        (0.01, "0.01"),
        (0.444, "0.44"),
        (0.99, "0.99"),
        (0.9901, "over 0.99"),
        (0.9999, "over 0.99"),
        (1.0, "1.00"),
    ],
)
def test_no_probability_rounds_to_a_certainty(probability, shown):
    assert chance(probability) == shown
