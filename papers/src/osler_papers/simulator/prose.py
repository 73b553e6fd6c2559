"""What the simulated notes say under their headings; wording of its own, apart from all
templates."""

from __future__ import annotations

from random import Random

from osler_papers.simulator import words as w

_FIXED = {
    "discharge condition": (
        "Stable.",
        "Good.",
        "Fair.",
        "Improved.",
        "Guarded.",
        "Ambulatory and stable.",
    ),
    "code status": ("Full code.", "DNR/DNI.", "Comfort measures only."),
    "diet": (
        "Low sodium.",
        "Cardiac diet.",
        "Regular.",
        "Diabetic diet.",
        "Soft solids.",
        "Renal diet.",
    ),
    "activity": (
        "As tolerated.",
        "No heavy lifting for six weeks.",
        "Bed rest.",
        "Weight bearing as tolerated.",
    ),
    "discharge disposition": (
        "Home with services.",
        "Skilled nursing facility.",
        "Home.",
        "Rehabilitation hospital.",
    ),
    "prognosis": ("Good.", "Poor.", "Guarded.", "Excellent.", "Fair."),
    "mental status": (
        "Alert and oriented.",
        "Drowsy but arousable.",
        "Confused at times.",
        "Clear.",
    ),
    "functional status": (
        "Independent in all activities.",
        "Walks with a cane.",
        "Wheelchair bound.",
        "Needs help to dress.",
    ),
    "immunizations": (
        "Influenza vaccine given.",
        "Up to date.",
        "Pneumococcal vaccine given.",
        "Declined.",
    ),
    "advance directives": ("Health care proxy on file.", "None.", "Living will on file."),
    "allergies": (),
}


def body(heading: str, rng: Random) -> str:
    """One block's text."""
    fixed = _FIXED.get(heading)
    if fixed:
        return rng.choice(fixed)
    if heading == "family history":
        first, second = rng.sample(w.RELATIVES, 2)
        if rng.random() < 0.3:
            return f"{first.capitalize()} with {rng.choice(w.DISEASES)}."
        return (
            f"{first.capitalize()} with {rng.choice(w.DISEASES)}; {second} died of "
            f"{rng.choice(w.DISEASES)}."
        )
    if heading == "social history":
        home = rng.choice(("alone", "with family", "with spouse"))
        return f"Retired {rng.choice(w.OCCUPATIONS)}, lives {home}."
    if heading == "allergies":
        return rng.choice(
            (
                "No known drug allergies.",
                f"{rng.choice(w.MEDICATIONS).capitalize()} gives {rng.choice(w.SYMPTOMS)}.",
            )
        )
    if heading in ("chief complaint", "reason for admission"):
        return f"{rng.choice(w.MODIFIERS).capitalize()} {rng.choice(w.SYMPTOMS)}."
    if heading == "vital signs":
        return (
            f"Pulse {rng.randint(55, 120)}, "
            f"pressure {rng.randint(95, 180)}/{rng.randint(50, 100)}, "
            f"temperature {rng.uniform(96.5, 102.5):.1f}."
        )
    if "diagnos" in heading or "history" in heading:
        picked = rng.sample(w.DISEASES, rng.randint(1, 3))
        return ", ".join(picked).capitalize() + "."
    if heading in ("procedures", "operations"):
        return ", ".join(rng.sample(w.TREATMENTS, rng.randint(1, 2))).capitalize() + "."
    if heading in (
        "laboratory data",
        "radiology",
        "pathology",
        "electrocardiogram",
        "pending results",
    ):
        test = rng.choice(w.TESTS).capitalize()
        return f"{test} {rng.choice(('was normal', 'was abnormal', 'is unchanged'))}."
    if heading in (
        "discharge instructions",
        "plan",
        "home services",
        "rehabilitation",
        "wound care",
    ):
        return f"Continue {rng.choice(w.TREATMENTS)}; call for {rng.choice(w.SYMPTOMS)}."
    return (
        f"{rng.choice(w.MODIFIERS).capitalize()} {rng.choice(w.DISEASES)}, "
        f"{rng.choice(('managed with', 'improved on', 'no change on'))} {rng.choice(w.TREATMENTS)}."
    )
