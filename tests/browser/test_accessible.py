"""axe-core in every view, light and dark: no serious or critical finding."""

from __future__ import annotations

import pytest

from serving import VIEWS


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", list(VIEWS))
def test_axe_finds_nothing_serious(visit, axe, name, scheme):
    page = visit(color_scheme=scheme).open(VIEWS[name])
    if name == "ask":
        page.locator(".examples button").first.click()
        page.wait_for_selector(".answers li, .refusal")
    for fold in page.locator("main details").all():
        fold.evaluate("one => { one.open = true; }")
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    serious = [
        (
            one["id"],
            [node["target"] for node in one["nodes"]][:4],
            one["nodes"][0]["failureSummary"],
        )
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]
    assert serious == []
