"""Folders are taken away by a disk that refuses once, and left by one that refuses always."""

from __future__ import annotations

import os

import pytest

from osler.files.removal import remove_folder


@pytest.mark.parametrize(("refused", "gone"), [(0, True), (1, True), (100, False)])
def test_a_disk_that_refuses_once_is_asked_again(tmp_path, monkeypatch, refused, gone):
    folder = tmp_path / "folder"
    (folder / "inner").mkdir(parents=True)
    (folder / "inner" / "file").write_text("a")
    really, left = os.unlink, [refused]

    def unlink(*given, **named):
        if left[0]:
            left[0] -= 1
            raise OSError(5, "Input/output error")
        return really(*given, **named)

    monkeypatch.setattr(os, "unlink", unlink)
    remove_folder(folder)
    assert folder.exists() is not gone


def test_what_is_not_there_is_no_error(tmp_path):
    remove_folder(tmp_path / "nowhere")
