"""Simulated records in the formats of the seven tasks: of nobody, deterministic by seed.

The real notes are under licence; these have their formats and, at ``scale=1``, the number of
patients, entities, triples and relations of the paper's Table 3, so that everything runs without
them.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

from osler.errors import ChoiceError, InputError
from osler_papers.simulator import (
    coreference,
    medication,
    obesity,
    relations,
    risk,
    smoking,
    temporal,
)

WRITERS = {
    "smoking": (smoking, "smoking_2006.xml", "i2b2-2006-smoking"),
    "obesity": (obesity, "obesity_2008", "i2b2-2008-obesity"),
    "medications": (medication, "medication_2009", "i2b2-2009-medication"),
    "relations": (relations, "relations_2010", "i2b2-2010-relations"),
    "coreference": (coreference, "coreference_2011", "i2b2-2011-coreference"),
    "temporal": (temporal, "temporal_2012", "i2b2-2012-temporal"),
    "risk": (risk, "risk_2014", "i2b2-2014-risk"),
}
TOPICS = tuple(WRITERS)


def simulate(
    out: str | Path, *, seed: int = 0, scale: float = 1.0, topics: tuple[str, ...] = TOPICS
) -> dict[str, Path]:
    """Write records for each topic; returns what was written, by topic, for the readers."""
    if scale <= 0:
        raise InputError("the scale of a simulation must be above 0")
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    written: dict[str, Path] = {}
    for topic in topics:
        if topic not in WRITERS:
            raise ChoiceError("topic", topic, TOPICS)
        module, place, _ = WRITERS[topic]
        patients = max(2, round(module.PATIENTS * scale))
        # A generator of its own for each topic: one topic more or less changes no other.
        module.write(folder, Random(f"{seed}/{topic}"), patients)  # noqa: S311
        written[topic] = folder / place
    return written
