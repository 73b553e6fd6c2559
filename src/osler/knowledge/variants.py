"""The ways in which a name is written: what the linker's dictionary holds for each name.

Each variant is a tuple of normal forms (see ``normalise``) with a weight: 1 is the name as it
stands, less the further the variant is from it. A variant never beats a name that is written out:
the linker keeps the better weight, and ranks candidates by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from osler.knowledge.normalise import normal, split_tokens

Form = tuple[str, ...]

INVERTED = 0.95
EQUIVALENT = 0.8
SHORTENED = 0.7

# A tag at the end says what kind of thing it is, and no text repeats it: "Asthma (disorder)".
_TAG = re.compile(
    r"\s*\((?:disease|disorder|finding|morphologic abnormality|situation|event|procedure|substance"
    r"|product|organism|body structure|observable entity|qualifier value|clinical|medical)\)\s*$",
    re.IGNORECASE,
)
_NOS = re.compile(r"[, ]+(?:NOS|unspecified|not otherwise specified)$", re.IGNORECASE)


def _group(*words: str) -> tuple[str, ...]:
    return tuple(normal(word) for word in words)


# Head nouns of disorders that texts use for one another.
_HEADS = (
    _group("neoplasm", "cancer", "tumor", "carcinoma", "malignancy"),
    _group("disease", "disorder"),
    _group("abnormality", "anomaly", "malformation", "defect"),
    _group("insufficiency", "failure"),
    _group("neoplasia", "neoplasm"),
)
# What a text says of an organ that a terminology files under its diseases. Weaker than a head noun
# of its own: "liver damage" is a liver disease unless some name says better.
_HARMS = _group(
    "dysfunction", "damage", "lesion", "impairment", "involvement", "disturbance", "complication",
    "deficit", "toxicity", "abnormality",
)  # fmt: skip
_ONE_WORD = set(_group("neoplasm", "cancer", "tumor", "malignancy"))
# An organ as a noun and as an adjective.
_ORGANS = (
    _group("kidney", "renal"),
    _group("heart", "cardiac"),
    _group("liver", "hepatic"),
    _group("lung", "pulmonary"),
    _group("brain", "cerebral"),
    _group("muscle", "muscular"),
    _group("skin", "cutaneous"),
    _group("eye", "ocular"),
    _group("stomach", "gastric"),
    _group("colon", "colonic"),
    _group("ovary", "ovarian"),
    _group("uterus", "uterine"),
    _group("bone", "skeletal"),
    _group("bowel", "intestinal"),
    _group("prostate", "prostatic"),
    _group("pancreas", "pancreatic"),
    _group("thyroid", "thyroidal"),
    _group("retina", "retinal"),
    _group("nervous", "neurologic", "neurological"),
    _group("thymus", "thymic"),
    _group("bladder", "vesical"),
    _group("inherited", "hereditary", "familial", "genetic"),
    _group("teen", "adolescent"),
    _group("pediatric", "childhood"),
    _group("vision", "visual"),
    _group("cognition", "cognitive"),
    _group("tooth", "dental"),
    _group("joint", "articular"),
    _group("blood", "hematologic", "hematological"),
    _group("spine", "spinal"),
    _group("vein", "venous"),
    _group("artery", "arterial"),
    _group("ureteral", "ureteric"),
    _group("intestinal", "enteric"),
    _group("immune", "immunologic", "immunological"),
    _group("movement", "motor"),
)
# How Greek and Latin name an organ at the head of a compound: nephrotoxicity, otopathy.
_COMPOUNDS = {
    normal(organ): stem
    for organ, stem in (
        ("kidney", "nephro"), ("liver", "hepato"), ("heart", "cardio"), ("muscle", "myo"),
        ("nervous", "neuro"), ("brain", "encephalo"), ("ear", "oto"), ("eye", "ophthalmo"),
        ("skin", "dermato"), ("joint", "arthro"), ("bone", "osteo"), ("stomach", "gastro"),
        ("retinal", "retino"), ("lung", "pneumo"), ("vascular", "angio"), ("spinal", "spondylo"),
    )
}  # fmt: skip
_SWAPS: dict[str, tuple[str, ...]] = {}
for _words in _ORGANS:
    for _word in _words:
        _SWAPS[_word] = tuple(other for other in _words if other != _word)
_HEAD_SWAPS: dict[str, tuple[str, ...]] = {}
for _words in _HEADS:
    for _word in _words:
        _HEAD_SWAPS[_word] = (
            *_HEAD_SWAPS.get(_word, ()),
            *(other for other in _words if other != _word),
        )
# How inheritance is said of a disorder without naming it.
_GENETIC = {(normal("genetic"), normal("disease"))}
_MODES = tuple(
    tuple(map(normal, mode.split()))
    for mode in (
        "genetic", "inherited", "autosomal recessive", "autosomal dominant", "recessive",
        "dominant", "recessively inherited", "dominantly inherited", "hereditary",
        "recessive inherited",
        "monogenic", "mendelian", "single gene", "recessive genetic",
        "autosomal recessive genetic", "autosomal dominant genetic",
        "autosomal recessive inherited",
    )
)  # fmt: skip
_DISORDERS = _group("disease", "disorder", "defect", "condition", "abnormality", "syndrome")
_TAILS = set(_group("syndrome", "disease", "disorder"))
_ACID = normal("acid")
_MINERAL = frozenset(
    _group("nitric", "sulfuric", "phosphoric", "carbonic", "chromic", "silicic", "chloric")
)
_PLAIN = _group("disease", "disorder")
# "Acute Disease" says nothing of an organ.
_DEGREES = set(_group("acute", "chronic", "rare", "critical", "catastrophic", "genetic"))
_AND = "and"
_SYNDROME, _SYSTEM, _NERVOUS = normal("syndrome"), normal("system"), normal("nervous")
_LEADS = set(_group("hereditary", "familial", "inherited", "congenital", "inborn"))
# Every rule below needs one of these words: most names have none.
_TOLD = frozenset({*_SWAPS, *_HEAD_SWAPS, *_TAILS, *_LEADS, "type"})
# Endings that tell that a word names a disorder by itself.
_DISORDER = re.compile(
    r"(?:itis|itid|osis|os|oma|emia|uria|pathy|trophy|plasia|algia|penia|plegia|paresis|sclerosis"
    r"|cancer|tumor|neoplasm|carcinoma|anemia|deficiency|dystonia|ataxia|epilepsy|dementia|psychos)$"
)


def forms(name: str) -> Iterator[tuple[Form, float]]:
    """The variants of a name with their weights, the name itself first."""
    own = tokens(name)
    if not own:
        return
    yield own, 1.0
    if "," in own:
        yield tuple(form for form in own if form != ","), 1.0
        parts = [part.strip() for part in name.split(",") if part.strip()]
        if 2 <= len(parts) <= 4:
            yield tokens(" ".join(reversed(parts))), INVERTED
    elif own.count("and") == 1:
        yield from ((form, SHORTENED) for form in _halves(own))


def _halves(form: Form) -> Iterator[Form]:
    """What a heading joins, each by itself: "Bile Acids and Salts" takes in bile salts."""
    at = form.index("and")
    left, right = form[:at], form[at + 1 :]
    if len(left) == 2 and len(right) == 1:
        yield left
        yield left[0], right[0]
    elif len(left) == 1 and len(right) >= 2:
        yield right
        yield left[0], *right[1:]


def untagged(name: str) -> str:
    """A name without the tag or the "NOS" that terminologies append."""
    return _NOS.sub("", _TAG.sub("", name)).strip() or name


def related(form: Form) -> Iterator[tuple[Form, float]]:
    """Variants that mean nearly the same: another head noun, an organ as noun or adjective, "type"
    or "hereditary" left out. They are made for names of disorders: each rule asks for words that
    only these have."""
    if len(form) == 1:
        if form[0] in _ONE_WORD:
            yield from (((other,), EQUIVALENT) for other in _ONE_WORD - {form[0]})
        return
    if form[-1] == _ACID and len(form) == 2:
        yield from _salts(form[0])
    if "," in form or _TOLD.isdisjoint(form):
        return
    head = form[-1]
    for other in _HEAD_SWAPS.get(head, ()):
        yield (*form[:-1], other), EQUIVALENT
    for place, word in enumerate(form):
        for other in _SWAPS.get(word, ()):
            swapped = (*form[:place], other, *form[place + 1 :])
            yield swapped, EQUIVALENT
            for tail in _HEAD_SWAPS.get(head, ()):
                yield (*swapped[:-1], tail), SHORTENED
    if head in _TAILS:
        yield from _harmed(form)
    if "type" in form[1:]:
        yield tuple(word for word in form if word != "type"), EQUIVALENT
    if "genetic" in form[1:-1] and head in _TAILS:
        yield from (
            ((*(w for w in form[:-1] if w != "genetic"), tail), SHORTENED) for tail in _TAILS
        )
    if form[-2:] in _GENETIC:
        yield from (((*mode, tail), SHORTENED) for mode in _MODES for tail in _DISORDERS)
    yield from _shortened(form)


def _salts(acid: str) -> Iterator[tuple[Form, float]]:
    """An acid by the name of its anion, as texts have it: valproate. The anion of a mineral acid
    is a substance of its own."""
    if acid.endswith("ic") and len(acid) > 5 and acid not in _MINERAL:
        yield (normal(acid.removesuffix("ic") + "ate"),), EQUIVALENT


def _harmed(form: Form) -> Iterator[tuple[Form, float]]:
    """A disease of an organ, said as harm to it: "renal damage", "nephrotoxicity"."""
    organ = form[:-1]
    if form[-1] == _SYNDROME or organ[0] in _DEGREES:
        return
    stem = _COMPOUNDS.get(organ[0])
    if stem and (len(organ) == 1 or organ[1:] == (_SYSTEM,)):
        yield from (((stem + end,), SHORTENED) for end in ("toxicity", "toxic", "pathy"))
    ways = [organ]
    if organ == (_NERVOUS, _SYSTEM):
        ways += [(word,) for word in _SWAPS[_NERVOUS]]
        yield from (((*way, tail), EQUIVALENT) for way in ways[1:] for tail in _PLAIN)
    if len(organ) == 1:
        ways += [(other,) for other in _SWAPS.get(organ[0], ())]
    yield from (((*way, harm), SHORTENED) for way in ways for harm in _HARMS)


def _shortened(form: Form) -> Iterator[tuple[Form, float]]:
    """Without "hereditary" before or "syndrome" after, where what is left names a disorder."""
    rest = form[1:] if form[0] in _LEADS else form
    ends_bare = rest[-1] in _TAILS and len(rest) >= 3 and _DISORDER.search(rest[-2])
    if ends_bare:
        rest = rest[:-1]
    if rest is not form and len(rest) >= 2 and (ends_bare or _DISORDER.search(rest[-1])):
        yield rest, SHORTENED
        if _AND in rest:
            # "Breast-ovarian cancer" is the syndrome too.
            yield tuple(word for word in rest if word != _AND), SHORTENED
        for other in _HEAD_SWAPS.get(rest[-1], ()):
            yield (*rest[:-1], other), SHORTENED * EQUIVALENT


def in_singular_only(form: Form, variant: Form) -> bool:
    """Whether a variant means its name in the singular alone: "breast and ovarian cancer" may be
    the hereditary syndrome, "breast and ovarian cancers" are two disorders."""
    return _AND in variant and len(variant) < len(form)


def tokens(name: str) -> Form:
    """A name's normal forms; of marks only the comma stays, "the" never does."""
    kept = map(normal, split_tokens(name)[0])
    return tuple(form for form in kept if (form[0].isalnum() or form == ",") and form != "the")
