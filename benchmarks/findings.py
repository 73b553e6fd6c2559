"""Whether a sentence states a finding: judged by its words, against the labels of abstracts.

    python benchmarks/findings.py LIB [--teach]

Abstracts of PubMed with three labelled sections or more say of each sentence whether it belongs to
results or conclusions (a finding) or to aims and methods (none). What is taught sees the words
alone: abstracts without labels are what it is for, and those of reviews and letters do not have
their findings where trials have them. Five parts by paper, each judged by a model of the others.
``--teach`` writes the weights that ship.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

import msgspec
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from osler import Library
from osler.retrieve.finding import SURE, features, part_of_label, shipped
from osler.text.sentences import sentences

OUT = Path(__file__).parent.parent / "src" / "osler" / "retrieve" / "finding.json"
PAPERS = 1_500
FINDINGS = ("results", "conclusion")
PLACES = ("place", "place squared", "last", "long")
"""What a sentence has by where it stands or by its length."""


def labelled(library: Library) -> list[tuple[str, str, dict[str, float]]]:
    """(paper, part, features) of each sentence of some papers whose abstracts bear labels."""
    papers = [
        paper
        for paper in sorted(library.documents(), key=lambda paper: paper.id)
        if sum(bool(section.label) for section in paper.sections) >= 3
    ]
    rows = []
    for paper in random.Random(24).sample(papers, min(PAPERS, len(papers))):
        texts = [
            (part_of_label(section.label), section.text[low:high])
            for section in paper.sections
            for low, high in sentences(section.text)
        ]
        for (part, _), row in zip(texts, features([text for _, text in texts], {}), strict=True):
            if part and row is not None:
                rows.append((paper.id, part, row))
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", type=Path)
    parser.add_argument("--teach", action="store_true", help="write the weights that ship")
    asked = parser.parse_args()
    with Library.open(asked.library) as library:
        rows = labelled(library)
    parts = np.array([part for _, part, _ in rows])
    stated = np.isin(parts, FINDINGS)
    names = sorted({
        name
        for *_, row in rows
        for name in row
        if name not in PLACES and "overlap" not in name and not name.startswith("in ")
    } - {"result that shares"})  # fmt: skip
    x = np.array([[row.get(name, 0.0) for name in names] for *_, row in rows])
    ids = np.array([id for id, *_ in rows])
    p = np.zeros(len(rows))
    for learned, judged in GroupKFold(5).split(x, stated, ids):
        model = LogisticRegression(max_iter=500).fit(x[learned], stated[learned])
        p[judged] = model.predict_proba(x[judged])[:, 1]
    draw = np.random.default_rng(24).random(len(rows))
    share = float((p < SURE).mean())
    print(f"{len(rows):,} sentences of {len(set(ids.tolist())):,} papers; said to state none:")
    print(f"{'':24} {'right':>6} " + " ".join(f"{part:>10}" for part in sorted(set(parts))))
    for title, none in (("words", p < SURE), ("as many by chance", draw < share)):
        by = " ".join(f"{none[parts == part].mean():10.3f}" for part in sorted(set(parts)))
        print(f"{title:24} {(~stated[none]).mean():6.3f} {by}")
    if asked.teach:
        whole = LogisticRegression(max_iter=500).fit(x, stated)
        role = {name: round(float(w), 3) for name, w in zip(names, whole.coef_[0], strict=True)}
        role[""] = round(float(whole.intercept_[0]), 3)
        by_whom = f"labels of {len(set(ids.tolist())):,} abstracts of PubMed"
        taught = msgspec.structs.replace(shipped(), role=role, role_taught_by=by_whom)
        OUT.write_bytes(msgspec.json.format(msgspec.json.encode(taught), indent=1) + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
