"""Breaks each promise on purpose, in a copy of the tree, and shows the test that fails for it.

    python tests/promises/breaks.py [P1 P12 ...]

A break is a change of a line or two in one file of ``src``: the sort of thing that an honest edit
could do. The test beside it must fail then; ``--sound`` first runs the same test on the copy as it
is, where it must pass. Prints the table that stands in docs/explanation/promises.md.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from promises.broken import MORE, Break  # noqa: E402

COPIED = ("src", "tests", "docs", "benchmarks", "pyproject.toml", "constraints.txt", "Makefile")


FIRST = (
    Break(
        "P1",
        "the truth writes without a transaction",
        "store/truth.py",
        (
            ('self._writer.execute("BEGIN IMMEDIATE")', 'self._writer.execute("SELECT 1")'),
            (
                '            self._writer.execute("COMMIT")',
                '            self._writer.execute("SELECT 1")',
            ),
        ),
        "test_p01_atomic.py::test_a_kill_or_a_power_cut_leaves_the_old_or_the_new",
        "judge",
    ),
    Break(
        "P2",
        "documents are read without their checksum",
        "store/document_rows.py",
        (
            (
                "    if checksum(body) != content or expected != checksum(*row[:6]):",
                "    if content is None:",
            ),
        ),
        "test_p02_damage.py::test_every_kind_of_row_carries_a_checksum",
        "body",
    ),
    Break(
        "P3",
        "a hit's document is looked up by its place in the list",
        "retrieve/view.py",
        (
            (
                "best.append((row, entry[0], score, place))",
                "best.append((rows[0], entry[0], score, place))",
            ),
        ),
        "test_p03_records.py::test_a_removed_or_a_joined_document_never_shifts_another_s_answer",
    ),
    Break(
        "P4",
        "a resumed file goes on one record too late",
        "store/ingest.py",
        (
            (
                "for item in islice(items, entry.position):",
                "for item in islice(items, entry.position + bool(entry.position)):",
            ),
        ),
        "test_p01_atomic.py::test_a_job_killed_again_and_again_ends_as_if_never_killed",
    ),
    Break(
        "P5",
        "rejected records are not listed",
        "store/ingest.py",
        (("            self.ledger.reject(connection, entry, rejects)\n", ""),),
        "test_p03_records.py::test_broken_records_of_a_dozen_kinds_cost_themselves_alone",
    ),
    Break(
        "P6",
        "recipes are read by YAML's unsafe loader",
        "recipes/recipe.py",
        (("yaml.safe_load(text)", "yaml.unsafe_load(text)"),),
        "test_p06_no_code.py::test_yaml_is_plain_data",
    ),
    Break(
        "P7",
        "the parser of records resolves entities",
        "records/safe_xml.py",
        (("resolve_entities=False", "resolve_entities=True"), ("load_dtd=False", "load_dtd=True")),
        "test_p06_no_code.py::test_the_records_parser_expands_nothing",
    ),
    Break(
        "P8",
        "unpacking goes on past the size that was pinned",
        "fetch.py",
        (
            ("        if left < 0:\n            break\n", ""),
            ("    if left != 0:\n", "    if left > 0:\n"),
            ("packed.read(min(1 << 20, left + 1))", "packed.read(1 << 20)"),
        ),
        "test_p06_no_code.py::test_a_bomb_in_a_wheel_stops_at_the_pinned_size",
    ),
    Break(
        "P9",
        "the server answers under any name",
        "serve/guard.py",
        (("if host_name(host) not in self.hosts:", "if not self.hosts:"),),
        "test_p09_page.py::test_a_foreign_host_header_gets_400_on_every_route",
    ),
    Break(
        "P10",
        "opening the package calls home",
        "library.py",
        (
            (
                "from __future__ import annotations\n",
                "from __future__ import annotations\n\nimport contextlib\nimport socket\n\n"
                "with contextlib.suppress(OSError):\n"
                "    socket.create_connection(('192.0.2.1', 80), 1)\n",
            ),
        ),
        "test_p10_network.py::test_a_day_s_work_tries_no_connection",
    ),
    Break(
        "P11",
        "questions of any length are read",
        "retrieve/parse.py",
        (("    if len(query) > limit:", "    if limit < 0:"),),
        "test_p11_bounds.py::test_a_question_of_a_megabyte_is_refused_at_once",
        "one",
    ),
    Break(
        "P12",
        "arrays are not held against the manifest that was read first",
        "knowledge/arrays.py",
        (
            (
                "            if before == _manifest(place):\n                return loaded\n",
                "            return loaded\n",
            ),
        ),
        "test_p12_readers.py::test_a_folder_that_is_replaced_while_it_is_read_is_read_again",
    ),
    Break(
        "P13",
        "ties are broken by the row, not by the id",
        "retrieve/view.py",
        (
            (
                "best.sort(key=lambda item: (-item[2], item[1]))",
                "best.sort(key=lambda item: (-item[2], item[0]))",
            ),
        ),
        "test_p03_records.py::test_a_shuffled_corpus_ranks_the_same",
        "words",
    ),
    Break(
        "P14",
        "an old library is taken for one of today's format",
        "store/upgrade.py",
        (('    if int(card["format"]) == FORMAT:\n', "    if card:\n"),),
        "test_p14_formats.py::test_an_old_library_answers_as_it_did",
    ),
    Break(
        "P15",
        "the log says what is read",
        "store/ingest.py",
        (
            (
                "        changes: list[Change] = []\n",
                '        changes: list[Change] = []\n        log.debug("reading %r", batch)\n',
            ),
        ),
        "test_p15_private.py::test_no_log_and_no_error_holds_it",
    ),
    Break(
        "P16",
        "a full disk is SQLite's error, not ours",
        "store/truth.py",
        (
            (
                '        raise StorageError(f"{what} cannot be written or read: {text}") from None',
                "        raise",
            ),
        ),
        "test_p01_atomic.py::test_a_full_broken_or_forbidden_disk_is_an_ordinary_error",
        "add",
    ),
    Break(
        "P17",
        "the evidence shown is the least sentence, not the best",
        "retrieve/evidence.py",
        (
            (
                "if best is None or candidate[:2] > best[:2]:",
                "if best is None or candidate[:2] < best[:2]:",
            ),
        ),
        "test_p17_faithful.py::test_the_evidence_sentence_carries_the_hit",
    ),
    Break(
        "P18",
        "ids of patients are folded into one shape",
        "records/ids.py",
        (
            (
                "    return _UNSAFE.sub(_percent, text)\n",
                '    return _UNSAFE.sub("-", text).lower()\n',
            ),
        ),
        "test_p18_isolation.py::test_odd_ids_and_namesakes_in_one_source",
    ),
    Break(
        "P19",
        "one rejected record is not counted",
        "store/ingest.py",
        (
            (
                'counts["rejected"] = len(rejects)',
                'counts["rejected"] = max(0, len(rejects) - 1)',
            ),
        ),
        "test_p19_account.py::test_every_line_has_one_fate",
    ),
    Break(
        "P20",
        "an index goes by the number alone, not by the truth's mark",
        "store/embedded.py",
        (
            (
                "        return held is None or (mark is not None and mark != held)\n",
                "        return held is None\n",
            ),
        ),
        "test_p20_restored.py::test_a_truth_that_went_on_after_being_rolled_back_is_noticed_too",
    ),
    Break(
        "P21",
        "a removed paper's part of the index is not written again",
        "store/embedded.py",
        (
            (
                "        parts = self.words.purge(fetch) + self.passages.purge(fetch)\n",
                "        parts = 1\n",
            ),
        ),
        "test_p21_erased.py::test_a_removed_paper_stands_in_no_file",
    ),
    Break(
        "P22",
        "work whose client has left is not asked to stop",
        "serve/desk.py",
        (("                stop.set()\n", "                pass\n"),),
        "test_p22_nobody_waits.py::test_work_whose_client_has_left_ends",
        "events",
    ),
)

BREAKS = tuple(sorted((*FIRST, *MORE), key=lambda one: int(one.promise[1:])))


def changed(text: str, one: Break) -> str:
    for old, new in one.changes:
        if text.count(old) != 1:
            raise ValueError(f"{one.promise}: {one.file} holds {old!r} {text.count(old)} times")
        text = text.replace(old, new)
    return text


def copied(target: Path) -> Path:
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
            shutil.copytree(source, target / name, ignore=ignored)
        elif source.exists():
            shutil.copy(source, target / name)
    return target


def run(copy: Path, one: Break) -> tuple[int, list[str]]:
    """pytest's code, and what failed."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-x",
        "-p",
        "no:cacheprovider",
        "--tb=no",
        "-rfE",
    ]
    command += [f"tests/promises/{one.test}", *(["-k", one.only] if one.only else [])]
    done = subprocess.run(
        command,
        cwd=copy,
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "PYTHONPATH": str(copy / "src"),
            "OMP_NUM_THREADS": "1",
            "RUST_BACKTRACE": "0",
            "OSLER_POINTS": "8",
        },
    )
    # An error is a check that a fixture makes when the test is over.
    failed = [
        line.partition(" ")[2].partition(" - ")[0]
        for line in done.stdout.splitlines()
        if line.startswith(("FAILED ", "ERROR "))
    ]
    if done.returncode not in (0, 1):
        raise SystemExit(f"{one.promise}: pytest could not run\n{done.stdout}\n{done.stderr}")
    return done.returncode, failed


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("promises", nargs="*", help="which ones; all without any")
    asked.add_argument("--sound", action="store_true", help="first see each test pass unbroken")
    given = asked.parse_args()
    chosen = [one for one in BREAKS if not given.promises or one.promise in given.promises]
    unnoticed = 0
    print("| promise | what was broken | the test that failed |\n| --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        copy = copied(Path(folder))
        for one in chosen:
            path = copy / "src" / "osler" / one.file
            text = path.read_text("utf-8")
            begun = time.monotonic()
            if given.sound:
                code, failed = run(copy, one)
                if code:
                    raise SystemExit(f"{one.promise}: fails without any break: {failed}")
            path.write_text(changed(text, one), "utf-8")
            try:
                code, failed = run(copy, one)
            finally:
                path.write_text(text, "utf-8")
            unnoticed += not failed
            told = f"`{failed[0]}`" if failed else "NONE: THE BREAK WAS NOT NOTICED"
            print(f"| {one.promise} | {one.what} (`src/osler/{one.file}`) | {told} |", flush=True)
            print(f"{one.promise}: {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
    raise SystemExit(bool(unnoticed))


if __name__ == "__main__":
    main()
