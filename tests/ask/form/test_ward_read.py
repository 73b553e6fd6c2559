"""Some 290 questions over the ward, and all that is read and answered, as ward.read.txt has it.

The lines are outputs pinned against change; they were sampled by eye, not read through whole.
After a wanted change ``python -m tests.ask.form.test_ward_read`` writes them anew: read the
difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from .ward import answerer

HERE = Path(__file__).parent


def lines() -> Iterator[str]:
    asked = answerer()
    for question in (HERE / "ward.questions.txt").read_text("utf-8").splitlines():
        answer = asked.ask(question)
        yield f"? {question}"
        if answer.form:
            yield f"  form {msgspec.json.encode(answer.form).decode()}"
            yield f"  read {answer.form_text}"
        yield f"  says {answer.answers} {answer.confidence:.3f} | {answer.note}"
        left = [f"{one.name} ({one.why})" for one in answer.left_out]
        own = [entity.rsplit("/", 1)[-1] for entity in answer.entities if "/f" not in entity]
        yield (
            f"  beside left out {left}, patients {own}, {len(answer.entities)} entities, "
            f"{len(answer.quoted)} quoted, {len(answer.timeline)} moments, "
            f"asked back {[one.id for one in answer.candidates]}"
        )


def test_every_question_is_read_as_before() -> None:
    expected = (HERE / "ward.read.txt").read_text("utf-8").splitlines()
    assert list(lines()) == expected


if __name__ == "__main__":
    (HERE / "ward.read.txt").write_text("\n".join(lines()) + "\n", "utf-8")
