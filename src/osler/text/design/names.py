"""What designs are called: their names, and others that people use for them."""

from __future__ import annotations

from osler.text.design.told import LABELS

ANIMAL = "animal study"
DESIGNS = (*LABELS[:11], ANIMAL)
"""What ``design`` may be; empty where nothing tells."""
DESIGN_MARK = "design: "
"""What stands before a design in an index, so that no publication type can be taken for one."""

_ALSO = {
    "rct": "randomised trial",
    "randomized trial": "randomised trial",
    "randomised controlled trial": "randomised trial",
    "randomized controlled trial": "randomised trial",
    "随机对照试验": "randomised trial",
    "clinical trial": "trial",
    "临床试验": "trial",
    "meta analysis": "meta-analysis",
    "荟萃分析": "meta-analysis",
    "系统评价": "systematic review",
    "case reports": "case report",
    "病例报告": "case report",
    "case control": "case-control",
    "病例对照研究": "case-control",
    "cross sectional": "cross-sectional",
    "survey": "cross-sectional",
    "横断面研究": "cross-sectional",
    "cohort study": "cohort",
    "队列研究": "cohort",
    "综述": "review",
    "letter": "editorial",
    "animal": ANIMAL,
    "动物实验": ANIMAL,
}


def canonical(name: str) -> str:
    """A design by any of its names; empty where it is none."""
    folded = " ".join(name.casefold().split())
    return folded if folded in DESIGNS else _ALSO.get(folded, "")
