"""Section 4.2: a concept of the context is added where a question lacks it."""

from __future__ import annotations

from osler import Document, Library
from osler.kinds import Section
from osler_papers.recipes.covid_questions import figure7
from samples import TrigramEncoder


def test_the_context_brings_the_papers_that_the_question_means(tmp_path) -> None:
    texts = {
        "mice": "How severe an illness of mice gets depends on the cage.",
        "covid": "COVID-19 gets severe in the old; how severe an illness gets depends on age.",
    }
    terms = tmp_path / "concepts.tsv"
    terms.write_text(
        "id\tname\tsynonyms\tparents\nC:1\tCOVID-19\t\tC:2\nC:2\tPneumonia, Viral\t\t\n", "utf-8"
    )
    with Library.create(tmp_path / "library", encoder=TrigramEncoder()) as library:
        library.add_documents(
            [Document(id=id, title=id, sections=(Section(text),)) for id, text in texts.items()]
        )
        library.add([terms], format="terms")
        library.embed()
        lines, shares = figure7(library, ["How severe an illness of mice gets"], "COVID-19")
    assert lines[0] == "## How severe an illness of mice gets"
    assert lines[2] == "concepts: COVID-19 < Pneumonia, Viral (added)"
    assert all(0.0 <= share <= 1.0 for share in shares.values())
    assert shares["share of the best 10 that name COVID-19, with context"] > 0
    # The other paper is nearer by its words; the added concept and its parent count twice.
    assert lines[lines.index("cosine:") + 2].startswith("- mice")
    assert lines[lines.index("with context:") + 2].startswith("- covid")
