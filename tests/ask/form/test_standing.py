"""What of a patient's things is not simply so, as a graph beside the facts is told it."""

from __future__ import annotations

from .ward import fact, over, patient


def test_what_no_fact_says_simply_so() -> None:
    facts = [
        fact("a", "medication", "Aspirin 75 MG", status="stopped", start="2018-01-01"),
        fact("a", "medication", "Aspirin 75 MG", start="2019-01-01"),
        fact("a", "medication", "Digoxin", status="stopped", start="2018-01-01"),
        fact("a", "medication", "Warfarin", status="on hold", start="2018-01-01"),
        fact("a", "condition", "Gout", certainty="refuted"),
        fact("a", "condition", "Lupus", certainty="provisional"),
        fact("a", "condition", "Asthma", status="completed", end="2010-01-01"),
        fact("a", "condition", "Cold", end="2010-01-01"),
        fact("a", "condition", "Eczema"),
        fact("b", "condition", "Migraine", status="completed"),
    ]
    told = over(*patient("a", "Ed Poe"), *patient("b", "Al Roe"), *facts).states("record:ward/a")
    by_name = {key: said for key, said in told.items() if not key.startswith("record:")}
    # Aspirin was stopped, and is taken again.
    assert by_name == {
        "digoxin": "stopped",
        "warfarin": "on hold",
        "gout": "refuted",
        "lupus": "suspected",
        "asthma": "resolved",
        "cold": "over",
    }
    # The entity that stands for it is told as the name is.
    assert told[facts[2].id] == "stopped"
    assert facts[8].id not in told
