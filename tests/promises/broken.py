"""What a break of a promise is, and those that stand beside the first of a promise: one for each
guard that could be taken out alone (``breaks.py`` runs them)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Break:
    """What is changed in ``file``, where each old text stands once, and the test that must fail."""

    promise: str
    what: str
    file: str
    changes: tuple[tuple[str, str], ...]
    test: str
    only: str = ""
    """For pytest's ``-k``: which of the test's cases, where it has many."""


MORE = (
    Break(
        "P16",
        "the folder of the knowledge is made without a thought of the disk",
        "retrieve/knowing.py",
        (
            (
                """            with storage_errors("the library's knowledge"):
                place.mkdir(parents=True, exist_ok=True)
""",
                "            place.mkdir(parents=True, exist_ok=True)\n",
            ),
        ),
        "test_p16_storage.py::test_a_folder_that_cannot_be_made_is_an_ordinary_error",
    ),
    Break(
        "P18",
        "two files of one name are one source",
        "store/sources.py",
        (("while not given and name in named:", "while not name:"),),
        "test_p18_isolation.py::test_the_same_ids_in_two_sources",
    ),
    Break(
        "P18",
        "patients of typed triples are not inside their source",
        "records/readers/clinical_triples.py",
        (("        if not named:\n", "        if named is not None:\n"),),
        "test_p18_isolation.py::test_typed_triples_of_two_sources_are_two_patients",
    ),
    Break(
        "P18",
        "a patient whose name is alike is taken for the one who was asked for",
        "ask/reading/namesakes.py",
        (("        if len(nodes) < 2:\n", "        if len(nodes) < 99:\n"),),
        "test_p18_isolation.py::test_names_that_are_alike_are_not_one_patient_s",
    ),
    Break(
        "P19",
        "a sum that does not hold is not looked at",
        "store/ingest.py",
        (("        if gap(entry.counts):\n", "        if entry is None:\n"),),
        "test_p19_account.py::test_an_item_that_reaches_no_table_is_a_failure",
    ),
    Break(
        "P21",
        "reviews keep the names of removed papers, and what was written of them",
        "tending.py",
        (("            forget(connection, documents)\n", ""),),
        "test_p21_erased.py::test_what_people_decided_of_a_removed_paper_names_it_no_more",
    ),
    Break(
        "P21",
        "a removed patient's file keeps its name",
        "store/removal.py",
        (("        _unname_files(connection, numbers)\n", ""),),
        "test_p21_records.py::test_a_file_that_is_named_after_its_patient_loses_its_name",
    ),
    Break(
        "P22",
        "idle connections pile up",
        "serve/wire.py",
        (("            self._make_room()\n", "            pass\n"),),
        "test_p22_nobody_waits.py::test_idle_connections_make_room",
    ),
)
