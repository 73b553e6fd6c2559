"""Arrays on disk: a folder is replaced whole, whatever the disk refuses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from osler.errors import StorageError
from osler.knowledge import arrays


def held(folder):
    return arrays.load(folder, "numbers").arrays["values"].tolist()


def save(folder, *values):
    arrays.save(folder, "numbers", {"values": np.array(values)}, {}, {})


@pytest.mark.parametrize("allowed", [0, 1, 2])
def test_a_disk_that_refuses_to_rename_leaves_the_old_one(tmp_path, monkeypatch, allowed):
    """The old folder away, the new one in, and then not even the old one back."""
    folder = tmp_path / "numbers"
    save(folder, 1, 2)
    really, left = Path.rename, [allowed]

    def rename(self, target):
        if not left[0]:
            raise OSError(28, "No space left on device")
        left[0] -= 1
        return really(self, target)

    monkeypatch.setattr(Path, "rename", rename)
    if allowed < 2:
        with pytest.raises(StorageError, match="No space left"):
            save(folder, 3, 4)
    else:
        save(folder, 3, 4)
    assert held(folder) == ([3, 4] if allowed == 2 else [1, 2])
    monkeypatch.undo()
    save(folder, 5, 6)
    assert held(folder) == [5, 6]
    assert [path.name for path in tmp_path.iterdir()] == ["numbers"]


@pytest.mark.parametrize(
    "listed",
    [
        [],
        [""],
        ["", "a", "", "bc", ""],
        ["asthma", "β-blocker", "哮喘", "", "naïve"],
        ["\ud800x", "𝛼"],
    ],
)
def test_strings_come_back_one_by_one_and_all_at_once(listed):
    strings = arrays.Strings.of(listed)
    assert list(strings) == listed
    assert [strings[at] for at in range(len(strings))] == listed
    assert strings.many(np.arange(len(listed))) == listed
