"""Predictions for a file of pairs: a TSV with the label and a probability for each label."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from osler.errors import InputError, StorageError
from osler.grade.grader import Grader
from osler.grade.pair import Pair
from osler.grade.table import read_pairs


def predict_file(grader: Grader, pairs: str | Path, out: str | Path) -> int:
    """Grade each row of ``pairs``, in order; labels in the file are never looked at."""
    read = read_pairs(pairs, labels=False)
    if not read:
        raise InputError(f"{Path(pairs).name} holds no pair")
    write_predictions(grader, read, Path(out))
    return len(read)


def write_predictions(grader: Grader, pairs: Sequence[Pair], out: Path) -> None:
    scale = grader.scale
    probabilities = grader.probabilities(pairs)
    grades = scale.by_grade(probabilities)
    heads = ["label", *(f"p_{label}" for label in scale.labels), "grade", "confidence"]
    lines = ["\t".join(heads)]
    for row, whole, grade in zip(probabilities, grades, grader.called(grades), strict=True):
        best = int(row.argmax())
        cells = [scale.labels[best], *(f"{p:.6f}" for p in row)]
        cells += ["HFMI"[grade], f"{whole[grade]:.6f}"]
        lines.append("\t".join(cells))
    temporary = out.with_name(f".{out.name}.part")
    try:
        temporary.write_text("\n".join(lines) + "\n", encoding="utf-8")
        temporary.replace(out)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise StorageError(f"{out} cannot be written: {error.strerror}") from None
