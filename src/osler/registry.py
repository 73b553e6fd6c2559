"""Names for things that can be chosen: built-ins and strangers' register alike.

A registry maps a name to a class. Built-in classes register with the decorator; another
package's are found through an entry point group, loaded the first time that a name is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Generic, TypeVar

from osler.errors import ChoiceError

T = TypeVar("T")


class Registry(Generic[T]):
    """The classes of one kind of plug-in, by name.

    ``builtin`` lists the modules whose import registers the built-in classes; they are imported
    on first use, so that ``import osler`` stays quick.
    """

    def __init__(self, what: str, *, group: str, builtin: tuple[str, ...] = ()) -> None:
        self.what = what
        self.group = group
        self._builtin = builtin
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
        for point in entry_points(group=self.group):
            self._classes.setdefault(point.name, point.load())

    def names(self) -> list[str]:
        self._load()
        return sorted(self._classes)

    def __iter__(self) -> Iterator[tuple[str, type[T]]]:
        self._load()
        return iter(sorted(self._classes.items()))

    def get(self, name: str) -> type[T]:
        self._load()
        try:
            return self._classes[name]
        except KeyError:
            raise ChoiceError(self.what, name, self._classes) from None

    def resolve(self, choice: str | type[T] | T, **options: Any) -> T:
        """A name, a class or an object: always an object."""
        if isinstance(choice, str):
            return self.get(choice)(**options)
        if isinstance(choice, type):
            return choice(**options)
        return choice
