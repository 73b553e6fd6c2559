"""A library with several encoders: two languages at once, a table first, another one later."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from osler import Library
from osler.text.static_table import save_static
from osler.text.team import Member, Team
from samples import TrigramEncoder, paper
from text.conftest import make_bert

PAPERS = [
    paper("en1", "Aspirin and stroke", "Aspirin lowers the risk of stroke."),
    paper("en2", "Fever in children", "A treatment of fever."),
    paper("zh1", "阿司匹林与中风", "阿司匹林降低中风的风险。"),
    paper("zh2", "儿童发热", "发热的治疗。"),
]


class Named(TrigramEncoder):
    """The sample encoder with a name and languages of its own."""

    def __init__(self, name: str, *languages: str) -> None:
        super().__init__()
        self.name = self.fingerprint = name
        self.languages = frozenset(languages)

    def reads(self, text: str) -> bool:
        from osler.text.language import language

        return language(text) in self.languages


def test_two_languages_at_once(tmp_path: Path) -> None:
    english, chinese = Named("english", "en"), Named("chinese", "zh")
    with Library.create(tmp_path / "lib") as library:
        library.team = Team(Member("english", english), [Member("chinese", chinese)])  # type: ignore[arg-type]
        library.add_documents(PAPERS)
        library.embed()
        counts = {name: library.engine.vector_count(name) for name in ("english", "chinese")}
        assert counts == {"english": 2, "chinese": 2}
        coverage = library.coverage()
        assert (coverage.done, coverage.waiting) == (4, 0)
        found = library.search("中风的风险", method="vectors", k=4)
        assert {hit.id for hit in found.hits} == {"zh1", "zh2"}
        assert found.hits[0].id == "zh1"
        found = library.search("stroke and aspirin", method="vectors", k=4)
        assert [hit.id for hit in found.hits] == ["en1", "en2"]


def test_a_question_whose_language_no_paper_has_is_told_so(tmp_path: Path) -> None:
    """All papers were read: what a person is told to run must make vectors, and it would not."""
    english, chinese = Named("english", "en"), Named("chinese", "zh")
    with Library.create(tmp_path / "lib") as library:
        library.team = Team(Member("english", english), [Member("chinese", chinese)])  # type: ignore[arg-type]
        library.add_documents(PAPERS[:2])
        unread = library.search("中风的风险", method="vectors").notes
        assert any("no vectors yet" in note for note in unread)
        library.embed()
        notes = library.search("中风的风险", method="vectors").notes
        assert any("no paper was read by chinese" in note for note in notes)
        assert not any("no vectors yet" in note for note in notes)


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tiny osler-small and osler-static, as they would ship."""
    folder = tmp_path / "weights"
    small = make_bert(folder / "osler-small")
    (small / "encoder.json").write_text(json.dumps({"languages": ["en"], "max_tokens": 40}))
    table = np.random.default_rng(1).normal(0, 1, (20, 8)).astype(np.float32)
    save_static(folder / "osler-static", table, small / "tokenizer.json")
    monkeypatch.setenv("OSLER_WEIGHTS", str(folder))
    monkeypatch.setenv("OSLER_CACHE", str(tmp_path / "cache"))
    return folder


def test_no_paper_waits(weights: Path, tmp_path: Path) -> None:
    with Library.create(tmp_path / "lib") as library:
        library.add_documents(PAPERS[:2])
        static = library.team.static
        assert static is not None
        # The table has read them at once; nobody asked for vectors yet.
        assert library.engine.vector_count(static.fingerprint) == 2
        assert library.coverage().done == 0
        assert library.default_method() == "hybrid"
        found = library.search("aspirin for stroke", method="vectors", k=2)
        assert found.hits[0].id == "en1"
        assert any("osler-static" in note for note in found.notes)
        assert library.embed() == 2
        assert library.encoder.name == "osler-small"
        assert library.engine.vector_count(library.encoder.fingerprint) == 2
        found = library.search("aspirin for stroke", method="vectors", k=2)
        assert len(found.hits) == 2
        assert not found.notes
        assert library.status()["encoder"] == "osler-small"


def test_the_former_serves_until_the_new_one_has_read(weights: Path, tmp_path: Path) -> None:
    """Vectors of one's former encoder answer; those of the new one replace them as a whole."""
    other = make_bert(tmp_path / "other", seed=11)
    (other / "encoder.json").write_text('{"languages": ["en"]}')
    with Library.create(tmp_path / "lib") as library:
        library.add_documents(PAPERS[:2])
        library.embed()
        former = library.encoder.fingerprint
        library.prefer(str(other))
    with Library.open(tmp_path / "lib") as library:
        assert library.encoder.fingerprint != former
        answering = library.team.answering("fever", library.engine.vector_count, 2)
        assert answering.fingerprint == former
        library.embed()
        answering = library.team.answering("fever", library.engine.vector_count, 2)
        assert answering.fingerprint == library.encoder.fingerprint


def test_an_encoder_that_cannot_be_loaded_is_not_chosen(weights: Path, tmp_path: Path) -> None:
    from osler.errors import OslerError

    with Library.create(tmp_path / "lib") as library:
        with pytest.raises(OslerError):
            library.prefer("no-such-encoder")
        assert library.encoder.name == "osler-small"
    assert not (tmp_path / "lib" / "encoder.json").exists()
