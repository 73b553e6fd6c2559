"""``match``: answers to a health question in order, explained by paths in the graph."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from osler.errors import InputError, NeedsError, StorageError
from osler.kinds import Ranking
from osler.match.matcher import Candidate, Matcher, matchers
from osler.verbs.limits import Count, Text, VerbRequest

if TYPE_CHECKING:
    from osler.library import Library
    from osler.match.answering import Answering
    from osler.match.matcher import Sources
    from osler.match.pair_index import IndexState
    from osler.match.pool import PairPool
    from osler.text.encoder import Encoder


class MatchRequest(VerbRequest, frozen=True, kw_only=True):
    """A question with candidate answers; without any, the library's own pairs are the candidates.
    ``explain`` asks for entity pairs and paths with their weights."""

    question: Text
    answers: tuple[Candidate, ...] | None = None
    k: Count = 10
    method: str | Matcher | None = None
    explain: bool = True
    without_model: bool = False


def candidates_of(answers: Sequence[Candidate | str] | None) -> tuple[Candidate, ...] | None:
    """Answers with ids: a text that has none goes by its place."""
    if answers is None:
        return None
    return tuple(
        one if isinstance(one, Candidate) else Candidate(f"answer {number}", one)
        for number, one in enumerate(answers, 1)
    )


def match(library: Library, request: MatchRequest) -> Ranking:
    """Answers in order: those given, or the library's own pairs'."""
    from osler.match.job import match as matched
    from osler.match.pool import CANDIDATES, FEW
    from osler.match.saving import DEFAULT
    from osler.match.texts import checked

    question = checked(request.question)
    matcher, model = matcher_of(library, request.method, without_model=request.without_model)
    # Weights that nobody trained here know less of an order than what was learned of answers.
    reorder = matcher.name == DEFAULT and not model
    pool = pool_of(library) if request.answers is None else None
    candidates = list(request.answers or ())
    if pool is not None:
        candidates = pool.candidates(question, most=FEW if reorder else CANDIDATES)
    ranking = matched(
        matcher,
        question,
        candidates,
        k=request.k,
        explain=request.explain,
        answering=answering_of(library, pool),
        reorder=reorder,
    )
    ranking.model = model
    if pool is not None and len(pool) > len(candidates):
        ranking.notes.append(
            f"{len(candidates):,} of {len(pool):,} pairs share words with the question "
            "closely enough to be compared"
        )
    if matcher.name == DEFAULT and not model and not request.without_model:
        ranking.notes.append(_untrained(library))
    return ranking


def _untrained(library: Library) -> str:
    """Why no model of the library is at work."""
    from osler.match.saving import DEFAULT, model_name

    name = model_name(DEFAULT)
    if library.models.has(name):
        return "the trained model of this library is not used: its training found it no better"
    return (
        "the weights are not trained on pairs: osler train match "
        f"{library.path.name} --pairs FILE learns them"
    )


def matcher_of(
    library: Library, method: str | Matcher | None = None, *, without_model: bool = False
) -> tuple[Matcher, str]:
    """A method with the model that was trained for this library, if there is one, and that
    model's name."""
    from osler.match.saving import DEFAULT, load_matcher, model_name

    if isinstance(method, Matcher):
        return method, ""
    name = method or DEFAULT
    kind = matchers.get(name)
    model = library.models.choose(model_name(name), without=without_model)
    pairs = not kind.learns and name != DEFAULT and not model

    def make() -> Matcher:
        sources = replace(sources_of(library))
        if model:
            return load_matcher(library.models.place(model), sources)
        matcher = kind(sources)
        # How rare a word is among the library's own answers, where it has some.
        known = list(library.pairs()) if pairs else []
        return matcher.fit(known) if known else matcher

    stamp = (
        model,
        library.models.stamp(model_name(name)),
        library.graph_stamp(),
        library.stamp("pairs") if pairs else (),
    )
    return library.keep(f"matcher {name}{' untrained' * (not model)}", stamp, make), model


def sources_of(library: Library) -> Sources:
    """The library's graph, its names for cutting Chinese, its encoder where it is fetched."""
    return library.keep("match sources", library.graph_stamp(), lambda: _sources(library))


def _sources(library: Library) -> Sources:
    from osler.match.known import Known
    from osler.match.matcher import Sources
    from osler.match.texts import Texts

    knowledge = library.knowledge
    known = Known(knowledge.graph, knowledge.linker) if knowledge is not None else None

    def encoder() -> Encoder | None:
        try:
            return library.encoder
        except NeedsError:
            return None

    def beside() -> Iterator[Encoder]:
        for member in library.team.beside:
            with contextlib.suppress(NeedsError):
                yield member.encoder

    return Sources(
        texts=Texts(known.names if known is not None else None),
        known=known,
        load_encoder=encoder,
        beside=lambda: list(beside()),
    )


def answering_of(library: Library, pool: PairPool | None = None) -> Answering:
    """What judges whether an answer answers, with the library's texts, graph and encoder, and what
    its pairs are called where they are asked."""
    from osler.match.answering import Answering
    from osler.match.memory import VectorMemory
    from osler.match.signs import SignReader

    def make() -> Answering:
        sources = sources_of(library)
        memory = VectorMemory(library.layout.vector_cache)
        return Answering(
            SignReader(
                sources.texts,
                known=sources.known,
                encoders=sources.encoders(),
                memory=memory,
                concepts=pool.concepts if pool is not None else None,
            )
        )

    if pool is None:
        return library.keep("match answering", library.graph_stamp(), make)
    stamp = (library.stamp("pairs"), library.graph_stamp())
    return library.keep("match answering pairs", stamp, make)


def pool_of(library: Library) -> PairPool:
    """The library's question-answer pairs, ready to be searched: their index is kept beside the
    other derived files, so that a pair is read once."""
    from osler.match.concepts import Concepts
    from osler.match.own_names import terminology_of
    from osler.match.pair_index import IndexState, PairIndex
    from osler.match.pool import PairPool

    def make() -> PairPool:
        texts = sources_of(library).texts
        static = library.team.static
        encoder = static.encoder if static is not None else None
        name = encoder.fingerprint if encoder is not None else ""
        (last,) = library.stamp("pairs")
        if not last:
            raise InputError(
                "the library holds no question-answer pairs",
                cure="add some (osler add LIB pairs.csv), or give answers with --answers FILE",
            )
        mark = library.truth.mark(last) or ""
        place = library.layout.pairs
        index = PairIndex.load(place)
        if index is None or not _follows(library, index.state, name):
            index = PairIndex.empty(name)
        if index.state != IndexState(last, mark, name):
            index = index.grown(
                library.pairs(after=index.state.applied),
                texts,
                encode=encoder.encode if encoder is not None else None,
                applied=last,
                mark=mark,
            )
            if len(index) >= WORTH_KEEPING:
                # A library on a medium that cannot be written still answers.
                with contextlib.suppress(StorageError):
                    index.save(place)
        concepts = Concepts.beside(sources_of(library).known, terminology_of(index.names))
        return PairPool(index, texts, library.pairs_of, encoder=encoder, concepts=concepts)

    return library.keep("pairs", (library.stamp("pairs"), library.graph_stamp()), make)


WORTH_KEEPING = 1_000
"""Pairs from which on an index is quicker read than made."""


def _follows(library: Library, state: IndexState, encoder: str) -> bool:
    """Whether an index was made by this program of the truth as it was, not of another one."""
    from osler.match.pair_index import VERSION

    if state.version != VERSION or state.encoder != encoder:
        return False
    return library.truth.mark(state.applied) == state.mark


def write_literature(library: Library, place: Path) -> int:
    """The questions that titles of the library's papers ask, with the sentences that answer them,
    as a file of pairs (JSON lines); how many. Where the library has a graph, questions that name no
    disease of it are left out."""
    from osler.match.literature import literature_pairs

    knowledge = library.knowledge

    def names_disease(question: str) -> bool:
        if knowledge is None:
            return True
        ids = [id for mention in knowledge.linker.link(question) for id, _ in mention.entities]
        return any(knowledge.graph.entity(id).type == DISEASE for id in ids)

    lines = [
        msgspec.json.encode(pair).decode()
        for pair in literature_pairs(library.documents(), about_health=names_disease)
    ]
    place.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return len(lines)


DISEASE = "Disease"
"""The type of diseases in MeSH and HPO's annotations."""


def pictures_of(library: Library) -> dict[str, Any]:
    """Visual features of the library's entities that have pictures; none where none were added.

    The trained encoder makes them where it is installed, the plain one otherwise.
    """
    from osler.knowledge.images import image_features, load_image_encoder
    from osler.verbs.graph import images_of

    if library.knowledge is None:
        return {}
    images = images_of(library)
    if not len(images):
        return {}
    encoder = "efficientnet-lite0"
    try:
        load_image_encoder(encoder)
    except NeedsError:
        encoder = "plain"
    return dict(image_features(images, encoder))
