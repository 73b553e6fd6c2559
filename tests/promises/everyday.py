"""A day's work in one process: every verb, by the command line, on a folder of its own.

    python everyday.py WORK

Writes what each command printed to ``WORK/printed.txt``; logs go to standard error, all of them.
``CANARY`` stands in every record, paper and broken line that is read.
"""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path
from typing import Any

CANARY = "XQZPATIENTCANARY"
TERMS = "id\tname\tsynonyms\tparents\nDIS:0\tdisease\t\t\nDIS:1\tasthma\tbronchial asthma\tDIS:0\n"
RECORDS = (
    "head\thead_type\trelation\ttail\ttail_type\n"
    f"P7\tpatient\ttakes\t{CANARY}drug\tdrug\n"
    "P7\tpatient\ttakes\taspirin\tdrug\n"
    f"{CANARY}\tpatient\ttakes\n"
)


def inputs(work: Path) -> None:
    rows = [
        {"_id": f"d{n}", "title": f"Asthma and {CANARY} {n}", "text": f"Text of {CANARY}. Asthma."}
        for n in range(12)
    ]
    lines = [json.dumps(row) for row in rows]
    lines += [f"{{broken {CANARY}", json.dumps({"title": CANARY, "text": CANARY}), f'["{CANARY}"]']
    (work / "corpus.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    (work / "terms.tsv").write_text(TERMS, "utf-8")
    (work / "ward.tsv").write_text(RECORDS, "utf-8")
    (work / "broken.xml").write_text(
        f"<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><b>{CANARY}</MedlineCitation>"
        f"</PubmedArticle><x>{CANARY}&{CANARY};",
        "utf-8",
    )
    (work / "note.json").write_text(f'{{"resourceType": "Bundle", "entry": ["{CANARY}"]}}', "utf-8")
    (work / "qrels.txt").write_text("q 0 d1 1\nq 0 d2 0\n", "utf-8")
    (work / "queries.jsonl").write_text('{"_id": "q", "text": "asthma"}\n', "utf-8")
    (work / "labels.tsv").write_text("document\tlabel\nd1\t1\nd2\t1\nd3\t0\nd4\t0\n", "utf-8")


def commands(lib: str, work: str) -> list[list[str]]:
    return [
        ["new", lib],
        ["add", lib, f"{work}/corpus.jsonl"],
        ["add", lib, f"{work}/terms.tsv", "--as", "terms"],
        ["add", lib, f"{work}/ward.tsv", "--as", "clinical-triples"],
        ["add", lib, f"{work}/broken.xml"],
        ["add", lib, f"{work}/note.json"],
        ["add", lib, f"{work}/note.json", "--as", "fhir"],
        ["add", lib, f"{work}/nothing.xml"],
        ["status", lib],
        ["status", lib, "--rejects"],
        ["search", lib, "asthma", "--method", "words"],
        ["search", lib, "asthma", "--method", "concepts"],
        ["search", lib, 'asthma AND ("child', "--method", "words"],
        ["search", lib, "--queries", f"{work}/queries.jsonl", "--run", f"{work}/run.trec"],
        ["link", lib, "asthma in a child"],
        ["ask", lib, "Which drugs does P7 take?"],
        ["ask", lib, "What is the meaning of everything?"],
        ["rank", lib, "asthma", "--examples", f"{work}/labels.tsv", "--method", "bm25-extra"],
        ["judge", "search", lib, f"{work}/qrels.txt", "--queries", f"{work}/queries.jsonl"],
        ["save", lib, "mine", "asthma"],
        ["searches", lib],
        ["remove", lib, "d3"],
        ["show", lib, "zzz"],
        ["fetch"],
        ["settings"],
        ["verify", lib],
        ["rebuild", lib],
        ["verify", lib, "--digest"],
    ]


def main() -> None:
    from typer.testing import CliRunner

    from osler.cli.main import build
    from osler.errors import OslerError

    logging.basicConfig(level=logging.DEBUG, stream=sys.stderr, format="LOG %(name)s %(message)s")
    work = Path(sys.argv[1])
    inputs(work)
    told: list[dict[str, Any]] = []
    app = build()
    for arguments in commands(str(work / "lib"), str(work)):
        result = CliRunner().invoke(app, arguments)
        error = result.exception
        if error is not None and not isinstance(error, OslerError | SystemExit):
            raise error
        told.append(
            {
                "command": arguments[:1] + arguments[2:],
                "code": result.exit_code,
                "stderr": result.stderr,
                "stdout": result.stdout,
                "error": str(error) if isinstance(error, OslerError) else "",
            }
        )
    (work / "printed.json").write_text(json.dumps(told, indent=1, ensure_ascii=False), "utf-8")


if __name__ == "__main__":
    main()
