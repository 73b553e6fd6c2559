"""A small graph and questions with answers of our own."""

from __future__ import annotations

import pytest

from match_samples import chinese_graph, chinese_pairs
from osler.kinds import Pair
from osler.knowledge.linker import Linker
from osler.match.known import Known
from osler.match.matcher import Sources
from osler.match.texts import Texts


@pytest.fixture(scope="session")
def known() -> Known:
    graph = chinese_graph()
    return Known(graph, Linker.build(graph))


@pytest.fixture(scope="session")
def pairs() -> list[Pair]:
    return chinese_pairs()


@pytest.fixture
def sources(known: Known) -> Sources:
    return Sources(texts=Texts(known.names), known=known)
