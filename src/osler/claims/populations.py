"""Of whom a text speaks: small sets of groups that exclude one another."""

from __future__ import annotations

from collections.abc import Iterable

from osler.text.scripts import listed

GROUPS: dict[str, dict[str, frozenset[str]]] = {
    "age": {
        "children": listed(
            "child children childhood infant infants newborn newborns neonate neonates neonatal",
            "pediatric paediatric toddler toddlers boys girls adolescent adolescents",
            "preschool 儿童 婴儿",
        ),
        "adults": listed(
            "adult adults elderly older geriatric seniors postmenopausal octogenarians 成人 老年",
            "woman women man men pregnant 孕妇",
        ),
    },
    "sex": {
        "women": listed("women woman female females girls pregnant postmenopausal 女性 妇女"),
        "men": listed("men man male males boys 男性"),
    },
    "species": {
        "animals": listed(
            "mouse mice rat rats murine rabbit rabbits dog dogs pig pigs monkey monkeys hamster",
            "hamsters zebrafish animal animals sheep cats cat rodents 小鼠 大鼠 动物",
        ),
        "humans": listed(
            "human humans patient patients people person persons men women adults children",
            "volunteers participants infants newborns population clinical 患者 人群 病人",
        ),
    },
    "role": {
        "patients": listed(
            "patient patients people persons participants subjects volunteers individuals cases",
            "患者 病人 受试者",
        ),
        "staff": listed(
            "surgeon surgeons physician physicians doctor doctors nurse nurses clinician",
            "clinicians therapist therapists pharmacist pharmacists anesthetist midwives staff",
            "医生 护士 医护",
        ),
        "relatives": listed(
            "parent parents mother mothers father fathers caregiver caregivers carer carers",
            "relative relatives spouse spouses family families 家属 父母",
        ),
    },
}


def of_text(tokens: Iterable[str]) -> dict[str, set[str]]:
    """The groups that some words name, by kind."""
    lower = {token.lower() for token in tokens}
    return {
        kind: {name for name, called in groups.items() if lower & called}
        for kind, groups in GROUPS.items()
    }


def clash(claim: Iterable[str], text: Iterable[str]) -> str:
    """Why two populations exclude each other, in words; empty where they do not. A text that names
    the claim's group beside others does not clash."""
    wanted, named = of_text(claim), of_text(text)
    for kind, groups in wanted.items():
        if groups and named[kind] and not groups & named[kind]:
            return f"the claim is on {_listed(groups)}, the text on {_listed(named[kind])}"
    return ""


def _listed(groups: set[str]) -> str:
    return " and ".join(sorted(groups))
