"""Names for things that can be chosen: built-ins and strangers' register alike.

A registry maps a name to a class. Built-in classes register with the decorator. Another package's
are entry points of the registry's group: a name is known at once, its module is loaded when the
name is first asked for, and one that cannot be loaded spoils nothing but itself.

Each kind of plug-in has a group of its own (``GROUPS``). What a class can do stands on the class.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from osler.errors import ChoiceError, NeedsError
from osler.settings import PLUGINS

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")
log = logging.getLogger(__name__)

GROUPS = {
    "osler.readers": "readers of files: documents, terminologies, records",
    "osler.search_rankers": "rankers of `search`",
    "osler.fusions": "fusions of channels",
    "osler.summarisers": "summarisers",
    "osler.topic_rankers": "rankers of papers for a topic (`rank`)",
    "osler.sentence_rankers": "rankers of a paper's sentences",
    "osler.representations": "texts as vectors, for rankers of `rank`",
    "osler.graders": "graders of papers against a fact",
    "osler.matchers": "matchers of answers to questions",
    "osler.answerers": "answerers of questions about patients",
    "osler.graph_embeddings": "methods of graph embedding",
    "osler.image_encoders": "encoders of pictures",
    "osler.engines": "engines that a library's indexes stand on",
    "osler.views": "pages of the web page",
    "osler.recipes": "experiments with expected numbers",
    "osler.commands": "commands of the command line",
}
"""Every entry-point group that Osler looks at, with what belongs there."""

PAPERS = "osler_papers"
PAPERS_CURE = (
    "the papers' baselines and recipes are a package of their own: pip install osler-papers "
    "(in a clone: pip install ./papers)"
)


def entry_points(group: str) -> Iterable[EntryPoint]:
    """What other packages declare. To ask reads the metadata of every package that is installed,
    after a library for mail and one for archives: a tenth of a cold search."""
    from importlib import metadata

    return metadata.entry_points(group=group)


def strangers(group: str) -> dict[str, EntryPoint]:
    """The entry points of a group by name; the first package of two that claim a name has it."""
    if group not in GROUPS:
        raise ValueError(f"{group} is not in GROUPS")
    if not PLUGINS.get():
        return {}
    points: dict[str, EntryPoint] = {}
    for point in entry_points(group=group):
        points.setdefault(point.name, point)
    return points


def papers_missing() -> bool:
    """Whether the package with the papers' baselines and recipes is not installed."""
    return find_spec(PAPERS) is None


class Registry(Generic[T]):
    """The classes of one kind of plug-in, by name.

    ``builtin`` lists the modules whose import registers the built-in classes; they are imported
    on first use, so that ``import osler`` stays quick. ``papers`` says that the papers' package
    has more of this kind, for whoever asks for one where it is not installed.
    """

    def __init__(
        self, what: str, *, group: str, builtin: tuple[str, ...] = (), papers: bool = False
    ) -> None:
        self.what = what
        self.group = group
        self._builtin = builtin
        self._papers = papers
        self._classes: dict[str, type[T]] = {}
        self._loaded = False

    def register(self, name: str) -> Callable[[type[Any]], type[Any]]:
        def keep(cls: type[Any]) -> type[Any]:
            self._classes[name] = cls
            return cls

        return keep

    def _load(self) -> None:
        if self._loaded:
            return
        self._loaded = True
        for module in self._builtin:
            import_module(module)

    @cached_property
    def _points(self) -> dict[str, EntryPoint]:
        """What strangers have of this kind; looked for where a name is not ours."""
        return strangers(self.group)

    def names(self) -> list[str]:
        self._load()
        return sorted({*self._classes, *self._points})

    def __iter__(self) -> Iterator[tuple[str, type[T]]]:
        """Names with their classes; a stranger's that cannot be loaded is left out, and logged."""
        for name in self.names():
            try:
                yield name, self.get(name)
            except NeedsError as error:
                log.warning("%s", error)

    def get(self, name: str) -> type[T]:
        self._load()
        if name not in self._classes:
            if name not in self._points:
                raise self._unknown(name)
            self._classes[name] = self._stranger(self._points[name])
        return self._classes[name]

    def _unknown(self, name: str) -> ChoiceError:
        error = ChoiceError(self.what, name, self.names())
        if self._papers and papers_missing():
            error.cure += f"; {PAPERS_CURE}"
        return error

    def _stranger(self, point: EntryPoint) -> type[T]:
        try:
            loaded: type[T] = point.load()
        except Exception as error:
            package = point.dist.name if point.dist else point.module
            raise NeedsError(
                f"the {self.what} {point.name!r} of {package} cannot be loaded: {error}",
                cure=f"install {package} again, or remove it",
            ) from error
        return loaded

    def resolve(self, choice: str | type[T] | T, **options: Any) -> T:
        """A name, a class or an object: always an object."""
        if isinstance(choice, str):
            return self.get(choice)(**options)
        if isinstance(choice, type):
            return choice(**options)
        return choice
