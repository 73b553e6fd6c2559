"""Somebody at the page, with a mouse or with nothing but keys: who tells whether anything jumps."""

from __future__ import annotations

from typing import Any

WATCH = """
window.__shifts = 0;
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) window.__shifts += one.value;
}).observe({ type: "layout-shift", buffered: true });
"""
TABS = 150
"""Presses of a key after which a thing counts as out of reach."""


class Person:
    """Somebody at the page: with a mouse, or with nothing but keys."""

    def __init__(self, visitor: Any, keys: bool) -> None:
        self.visitor = visitor
        self.page = visitor.page
        self.keys = keys
        self.page.add_init_script(WATCH)
        if keys:
            self.page.set_viewport_size({"width": 390, "height": 800})

    def open(self, path: str) -> None:
        self.visitor.open(path)

    def use(self, thing: Any) -> None:
        """Press it: a click, or Tab until it has the focus, and Enter."""
        if self.keys:
            self.reach(thing)
            self.page.keyboard.press("Enter")
        else:
            thing.click()

    def reach(self, thing: Any) -> None:
        thing.wait_for()
        for _ in range(TABS):
            if thing.evaluate("one => document.activeElement === one"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError("the keyboard does not reach it")

    def write(self, thing: Any, text: str) -> None:
        if self.keys:
            self.reach(thing)
            self.page.keyboard.press("Control+A")
            self.page.keyboard.type(text)
        else:
            thing.fill(text)

    def choose(self, field: Any, option: str) -> None:
        """One of a list: a click, or its first letters."""
        if self.keys:
            self.reach(field)
            self.page.keyboard.type(option)
        else:
            field.select_option(option)
        assert field.input_value() == option

    def calm(self) -> None:
        """Nothing jumped, and the page scrolls down only."""
        assert self.page.evaluate("window.__shifts") == 0
        width = self.page.viewport_size["width"]
        assert self.page.evaluate("document.documentElement.scrollWidth") <= width
