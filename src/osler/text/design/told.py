"""What indexers say outright: publication types and headings that name a design."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

LABELS = (
    "systematic review",
    "meta-analysis",
    "protocol",
    "randomised trial",
    "trial",
    "case report",
    "case-control",
    "cross-sectional",
    "cohort",
    "review",
    "editorial",
    "rodent",
    "human",
    "child",
)
"""What is judged of a paper, each for itself: eleven designs and three kinds of subjects."""

TYPES: Mapping[str, tuple[str, ...]] = {
    "systematic review": ("systematic review",),
    "meta-analysis": ("meta-analysis",),
    "clinical trial protocol": ("protocol",),
    "randomized controlled trial": ("randomised trial", "trial", "human"),
    "randomized controlled trial, veterinary": ("randomised trial", "trial"),
    "clinical trial": ("trial", "human"),
    "controlled clinical trial": ("trial", "human"),
    "clinical trial, phase i": ("trial", "human"),
    "clinical trial, phase ii": ("trial", "human"),
    "clinical trial, phase iii": ("trial", "human"),
    "clinical trial, phase iv": ("trial", "human"),
    "pragmatic clinical trial": ("trial", "human"),
    "case reports": ("case report",),
    "review": ("review",),
    "editorial": ("editorial",),
    "letter": ("editorial",),
    "comment": ("editorial",),
    "news": ("editorial",),
    "published erratum": ("editorial",),
}
HEADINGS: Mapping[str, tuple[str, ...]] = {
    "Cohort Studies": ("cohort",),
    "Retrospective Studies": ("cohort",),
    "Prospective Studies": ("cohort",),
    "Follow-Up Studies": ("cohort",),
    "Longitudinal Studies": ("cohort",),
    "Case-Control Studies": ("case-control",),
    "Cross-Sectional Studies": ("cross-sectional",),
    "Surveys and Questionnaires": ("cross-sectional",),
    "Humans": ("human",),
    "Mice": ("rodent",),
    "Rats": ("rodent",),
    "Child": ("child",),
    "Infant": ("child",),
    "Child, Preschool": ("child",),
    "Infant, Newborn": ("child",),
    "Adolescent": ("child",),
}


def told(types: Iterable[str], headings: Iterable[str]) -> set[str]:
    """The labels that types and headings name."""
    labels: set[str] = set()
    for kind in types:
        labels.update(TYPES.get(kind.casefold(), ()))
    for name in headings:
        labels.update(HEADINGS.get(name, ()))
        if name.startswith(("Mice, ", "Rats, ")):
            labels.add("rodent")
    return labels
