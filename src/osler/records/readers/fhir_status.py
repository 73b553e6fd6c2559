"""FHIR's words for status and certainty as ours, for R4 and what came before it."""

from __future__ import annotations

from osler.kinds.fact import Certainty, Status
from osler.records.readers.fhir_values import Resource, code_of

STATUSES: dict[str, Status] = {
    # orders and statements
    "active": "active",
    "recurrence": "active",
    "relapse": "active",
    "in-progress": "active",
    "arrived": "active",
    "triaged": "active",
    "onleave": "active",
    "completed": "completed",
    "finished": "completed",
    "final": "completed",
    "amended": "completed",
    "corrected": "completed",
    "appended": "completed",
    "preliminary": "completed",
    "partial": "completed",
    "available": "completed",
    "current": "completed",
    "inactive": "completed",
    "remission": "completed",
    "resolved": "completed",
    "superseded": "completed",
    "stopped": "stopped",
    "aborted": "stopped",
    "revoked": "stopped",
    "declined": "not done",
    "on-hold": "on hold",
    "suspended": "on hold",
    "draft": "planned",
    "planned": "planned",
    "intended": "planned",
    "proposed": "planned",
    "preparation": "planned",
    "registered": "planned",
    "cancelled": "not done",
    "not-done": "not done",
    "not-taken": "not done",
    "entered-in-error": "entered in error",
    "entered in error": "entered in error",
    "unknown": "unknown",
    "health-unknown": "unknown",
}
CERTAINTIES: dict[str, Certainty] = {
    "confirmed": "confirmed",
    "unconfirmed": "provisional",
    "provisional": "provisional",
    "differential": "provisional",
    "refuted": "refuted",
}
_UNDONE = (
    *("doNotPerform", "wasNotGiven", "wasNotTaken", "notGiven", "notDone", "notPerformed"),
    *("prohibited", "doNotPerformFlag"),
)


def status_of(resource: Resource, default: Status = "unknown") -> Status:
    """The status of an order, statement, procedure, visit or result; what was forbidden or not
    given is not done, whatever its status says."""
    word = code_of(resource.get("status")) if resource.get("status") else ""
    status = STATUSES.get(word, default if not word else "unknown")
    if status == "entered in error":
        return status
    taken = resource.get("taken")
    if any(resource.get(flag) is True for flag in _UNDONE) or taken in ("n", "no"):
        return "not done"
    if status == "active" and resource.get("intent") in ("proposal", "plan"):
        return "planned"
    return status


def condition_status(resource: Resource) -> tuple[Status, Certainty]:
    """Clinical and verification status of a condition or an allergy."""
    verified = code_of(resource.get("verificationStatus"))
    said = resource.get("clinicalStatus") or resource.get("status")
    clinical = code_of(said) if said else ""
    ended = any(key.startswith("abatement") and value for key, value in resource.items())
    # DSTU2 allergies say both in one word.
    certainty = CERTAINTIES.get(verified) or CERTAINTIES.get(clinical) or "confirmed"
    if "entered-in-error" in (verified, clinical):
        return "entered in error", certainty
    if clinical in STATUSES:
        return STATUSES[clinical], certainty
    over = ended and resource.get("abatementBoolean") is not False
    return ("completed" if over else "active"), certainty
