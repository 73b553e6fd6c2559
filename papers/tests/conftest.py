"""The fixtures of the product's tests, and a small graph with questions and answers."""

from __future__ import annotations

import pytest

from fixtures import data_dir, encoder, library, make_library
from match_samples import chinese_graph, chinese_pairs
from osler.kinds import Pair
from osler.knowledge.linker import Linker
from osler.match.known import Known

__all__ = ["data_dir", "encoder", "library", "make_library"]


@pytest.fixture(scope="session")
def known() -> Known:
    graph = chinese_graph()
    return Known(graph, Linker.build(graph))


@pytest.fixture(scope="session")
def pairs() -> list[Pair]:
    return chinese_pairs()
