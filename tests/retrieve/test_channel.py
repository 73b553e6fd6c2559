from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from osler.retrieve.channel import each_once


@given(st.lists(st.integers(-5, 5) | st.integers(-(1 << 62), 1 << 62)))
def test_it_gives_what_numpy_gives(values: list[int]) -> None:
    array = np.array(values, np.int64)
    found = each_once(array)
    assert found.dtype == array.dtype
    assert found.tolist() == np.unique(array).tolist()
    assert array.tolist() == values
