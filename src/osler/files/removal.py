"""Taking folders away."""

from __future__ import annotations

import shutil
from pathlib import Path


def remove_folder(folder: Path) -> None:
    """Take a folder away, if it is there. A disk that refuses once is asked once more; what it
    refuses twice stays, and no work fails for it: the next writer takes it away."""
    for _ in range(2):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
