"""P19: nothing is lost in silence: read = stored + merged + replaced + rejected, and so on.

What every reader gives is held to the sum by the program itself; ``tests/store/test_account.py``
has each fate alone, and property tests. Here the sum meets a count that the program did not make.
"""

from __future__ import annotations

import json

from osler.store.account import FATES, gap
from osler.store.documents import Documents
from samples import paper


def lines() -> list[str]:
    """Good, doubled, known, removed and broken records; one a line."""
    rows = [
        json.dumps({"_id": f"d{n}", "title": f"Title {n}", "text": f"Text {n}"}) for n in range(40)
    ]
    rows += rows[:5]
    rows += [json.dumps({"_id": "known", "title": "Newer", "text": "Newer"})]
    rows += [json.dumps({"_id": "gone", "title": "Gone", "text": "Gone"})]
    rows += ["{broken", json.dumps({"title": "no id"}), "[]", json.dumps({"_id": "", "text": "x"})]
    return rows


def test_every_line_has_one_fate(make_library, tmp_path):
    library = make_library([paper("known", "Old", "Old"), paper("gone", "x", "x")])
    library.remove(["gone"])
    (tmp_path / "corpus.jsonl").write_text("\n".join(lines()) + "\n", "utf-8")
    summary = library.add([tmp_path / "corpus.jsonl"])
    assert not summary.failed
    assert summary.counts["read"] == len(lines())
    assert gap(summary.counts) == 0
    assert sum(summary.counts[fate] for fate in FATES) == len(lines())
    assert summary.counts["stored"] == 40
    assert summary.counts["rejected"] == 4


def test_a_record_that_the_store_forgets_is_a_failure(make_library, tmp_path, monkeypatch):
    """The sum is checked in the program: exit code and ledger say that it does not hold."""
    library = make_library([])
    real = Documents.write

    def forgetful(self, connection, batch, **options):
        changes, outcomes = real(self, connection, batch[:-1], **options)
        return changes, outcomes

    monkeypatch.setattr(Documents, "write", forgetful)
    (tmp_path / "corpus.jsonl").write_text("\n".join(lines()[:10]) + "\n", "utf-8")
    try:
        summary = library.add([tmp_path / "corpus.jsonl"])
    except ValueError:
        return  # noticed where the outcomes are held against the records
    assert summary.failed
    assert gap(summary.counts)


def test_an_item_that_reaches_no_table_is_a_failure(make_library, tmp_path, monkeypatch):
    """Items that leave the reader and reach no table: only the sum can tell."""
    from osler.store.graph_rows import GraphRows

    library = make_library([])
    real = GraphRows.write_pairs

    def forgetful(self, connection, pairs, source):
        return real(self, connection, pairs[:-1], source)

    monkeypatch.setattr(GraphRows, "write_pairs", forgetful)
    rows = [{"id": f"p{n}", "question": f"Is it {n}?", "answer": f"It is {n}."} for n in range(5)]
    path = tmp_path / "pairs.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)) + "\n", "utf-8")
    summary = library.add([path], format="pairs")
    assert summary.failed
    assert gap(summary.counts) == 1
