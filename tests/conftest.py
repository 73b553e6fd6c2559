"""What every room's tests share."""

from __future__ import annotations

import os

from hypothesis import settings

from fixtures import data_dir, encoder, library, make_library

__all__ = ["data_dir", "encoder", "library", "make_library"]

# The same examples every time: a change is judged by what it changed. `make fuzz` draws new ones.
settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("new", deadline=None)
settings.load_profile("new" if os.environ.get("OSLER_FUZZ") else "same")
