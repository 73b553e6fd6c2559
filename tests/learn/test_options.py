"""Settings as a person types them, of classes that hand some on and of functions."""

from __future__ import annotations

from typing import Any

import pytest

from osler.errors import InputError
from osler.learn.options import check_taken, fitting, parsed, settings_of


class Below:
    def __init__(self, *, epochs: int = 12, rate: float = 0.1) -> None:
        self.given = (epochs, rate)


class Above(Below):
    def __init__(self, *, capsules: int | None = None, epochs: int = 3, **options: Any) -> None:
        super().__init__(epochs=epochs, **options)


class Closed(Below):
    def __init__(self, *, hints: bool = False) -> None:
        super().__init__()


class Plain(Above):
    pass


def act(data: str, *, seeds: int = 5, only: tuple[str, ...] = ()) -> None:
    raise NotImplementedError


def test_a_class_that_hands_settings_on_takes_those_above_it() -> None:
    assert settings_of(Above) == {"capsules": None, "epochs": 3, "rate": 0.1}
    assert settings_of(Plain) == settings_of(Above)
    assert settings_of(Closed) == {"hints": False}
    assert settings_of(act) == {"seeds": 5, "only": ()}


def test_values_are_like_their_defaults() -> None:
    given = parsed(["capsules=8", "rate=2", "epochs=4"])
    assert fitting(Above, given) == {"capsules": 8, "rate": 2.0, "epochs": 4}
    assert fitting(Above, {"capsules": "many"}) == {"capsules": "many"}
    assert fitting(Closed, {"hints": "true"}) == {"hints": True}
    assert fitting(act, {"seeds": "2", "only": "a b,c"}) == {"seeds": 2, "only": ("a b", "c")}


def test_a_strange_setting_is_refused() -> None:
    with pytest.raises(InputError, match="nothing here takes 'layers'"):
        check_taken({"layers": "2"}, [Closed, act])
    check_taken({"seeds": "2", "hints": "true"}, [Closed, act])
