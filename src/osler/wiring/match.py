"""What `match` takes out of a library: its graph, its pairs, its trained models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from osler.errors import InputError, NeedsError
from osler.kinds import Ranking

if TYPE_CHECKING:
    from osler.library import Library
    from osler.match.matcher import Candidate, Matcher, Sources
    from osler.match.pool import PairPool
    from osler.text.encoder import Encoder


@dataclass
class _Held:
    """What was made of one state of a library; the next question finds it ready."""

    seq: int
    sources: Sources
    matchers: dict[tuple[str, float], Matcher] = field(default_factory=dict)
    pool: PairPool | None = None


_HELD: WeakKeyDictionary[Library, _Held] = WeakKeyDictionary()


def match(
    library: Library,
    question: str,
    answers: Sequence[Candidate | str] | None = None,
    *,
    k: int = 10,
    method: str | Matcher | None = None,
    explain: bool = True,
) -> Ranking:
    """Answers to a question in order: those given, or the library's own pairs'."""
    from osler.match.job import match as matched
    from osler.match.matcher import Candidate
    from osler.match.texts import checked

    question = checked(question)
    held = _held(library)
    matcher = matcher_of(library, method)
    if answers is None:
        pool = pool_of(library)
        candidates = pool.candidates(question)
        ranking = matched(matcher, question, candidates, k=k, explain=explain)
        ranking.total = len(candidates)
        if len(pool) > len(candidates):
            ranking.notes.append(
                f"{len(candidates):,} of {len(pool):,} pairs share words with the question "
                "closely enough to be compared"
            )
    else:
        given = [
            one if isinstance(one, Candidate) else Candidate(str(number), one)
            for number, one in enumerate(answers, 1)
        ]
        ranking = matched(matcher, question, given, k=k, explain=explain)
    if not _has_model(library, matcher) and held.seq >= 0:
        ranking.notes.append(
            "the weights are not trained on pairs: osler train match "
            f"{library.path.name} --pairs FILE learns them"
        )
    return ranking


def _has_model(library: Library, matcher: Matcher) -> bool:
    from osler.match.saving import DEFAULT, model_name

    folder = library.layout.models / model_name(matcher.name)
    return matcher.name != DEFAULT or (folder / "config.json").is_file()


def _held(library: Library) -> _Held:
    seq = library.truth.seq()
    held = _HELD.get(library)
    if held is None or held.seq != seq:
        held = _HELD[library] = _Held(seq, sources_of(library))
    return held


def sources_of(library: Library) -> Sources:
    """The library's graph, its names for cutting Chinese, its encoder where it is fetched."""
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

    return Sources(
        texts=Texts(known.names if known is not None else None),
        known=known,
        load_encoder=encoder,
    )


def pictures_of(library: Library) -> dict[str, Any]:
    """Visual features of the library's entities that have pictures; none where none were added.

    The trained encoder makes them where it is installed, the plain one otherwise.
    """
    from osler.knowledge.images import image_features, load_image_encoder
    from osler.wiring.graph import images_of

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


def matcher_of(library: Library, method: str | Matcher | None = None) -> Matcher:
    """A method with the model that was trained for this library, if there is one."""
    from osler.match.matcher import matchers
    from osler.match.saving import DEFAULT, load_matcher, model_name

    if method is not None and not isinstance(method, str):
        return method
    name = method or DEFAULT
    kind = matchers.get(name)
    held = _held(library)
    folder = library.layout.models / model_name(name)
    written = _written(folder)
    if (name, written) not in held.matchers:
        from dataclasses import replace

        sources = replace(held.sources)
        if written:
            made = load_matcher(folder, sources)
        else:
            made = kind(sources)
            if not kind.learns and name != DEFAULT:
                # How rare a word is among the library's own answers, where it has some.
                pairs = list(library.pairs())
                if pairs:
                    made.fit(pairs)
        held.matchers = {k: v for k, v in held.matchers.items() if k[0] != name}
        held.matchers[name, written] = made
    return held.matchers[name, written]


def _written(folder: Path) -> float:
    try:
        return (folder / "config.json").stat().st_mtime
    except OSError:
        return 0.0


def pool_of(library: Library) -> PairPool:
    """The library's question-answer pairs, ready to be searched."""
    from osler.match.pool import PairPool

    held = _held(library)
    if held.pool is None:
        pairs = list(library.pairs())
        if not pairs:
            raise InputError(
                "the library holds no question-answer pairs",
                cure="add some (osler add LIB pairs.csv), or give answers with --answers FILE",
            )
        held.pool = PairPool(pairs, held.sources.texts)
    return held.pool
