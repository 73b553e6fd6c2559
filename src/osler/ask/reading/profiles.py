"""What a type holds says what it is: a type ``Compound`` full of -olols and -statins holds drugs.

A hospital may call its types anything. A sample of each type's names is compared with endings and
words of general clinical English; the fields that most of them show are the type's profile, which
the reader takes as if the type's own name had said so, only less surely.
"""

from __future__ import annotations

import re

import numpy as np

from osler.records.kb import ClinicalKB

SAMPLE = 80
# The share of sampled names that must show a field; a name shows one by its form or by a word.
SHARE = 0.4

_ENDINGS = {
    "medication": (
        "olol pril sartan statin mycin micin cillin azole prazole dipine mab nib vir zepam zolam "
        "triptan gliptin gliflozin thiazide semide parin xaban caine oxacin cycline sone solone "
        "profen tidine setron fentanil codone orphine terol tropium formin lukast oxetine traline "
        "pramine azepine gabalin pentin thyroxine zosin dronate cept platin taxel rubicin tinib "
        "amide fylline barbital profen caine artan arin zide tadine rizine chicine coxib opril"
    ),
    "disease": (
        "itis osis emia aemia oma pathy algia plegia phrenia trophy ectasis rrhea rrhoea uria "
        "penia cytosis megaly thyroidism sclerosis stenosis lithiasis oedema edema ension betes"
    ),
    "procedure": "ectomy plasty scopy otomy ostomy centesis rrhaphy desis graphy gram lysis",
}
_WORDS = {
    "medication": (
        "aspirin insulin heparin warfarin digoxin tablet tablets capsule capsules injection "
        "solution acetaminophen paracetamol vitamin potassium chloride syrup inhaler lithium"
    ),
    "disease": (
        "disease disorder syndrome failure infection cancer carcinoma diabetes hypertension asthma "
        "anemia anaemia fracture injury fibrillation flutter stroke ulcer hernia sepsis gout "
        "angina infarction deficiency embolism hemorrhage haemorrhage bleed bleeding cirrhosis "
        "obesity chronic acute psoriasis emphysema cataract migraine epilepsy fever pneumonia"
    ),
    "procedure": (
        "biopsy graft repair bypass transplant catheterization catheterisation insertion removal "
        "excision drainage surgery replacement transfusion dialysis resection ablation aspiration"
    ),
    "frequency": "daily once twice thrice bid tid qid qd prn weekly hourly nightly bedtime needed",
    "route": (
        "oral orally po iv intravenous subcutaneous sc topical inhaled inhalation im rectal pr "
        "intramuscular ophthalmic nasal sublingual transdermal"
    ),
    "gender": "male female m f man woman",
    "doctor": "dr dr. prof doctor",
    "department": "ward unit department clinic icu ccu micu sicu surgery service",
    "marital": "married single divorced widowed separated",
    "insurance": "medicare medicaid private government insurance",
}
_FORMS = {
    "dosage": re.compile(
        r"^[\d.,/-]+\s*(?:mg|mcg|ug|g|ml|units?|iu|tabs?|tablets?|puffs?|drops?|meq|caps?)\b", re.I
    ),
    "frequency": re.compile(r"\b(?:every|per|a|each)\s+(?:\d+\s+)?(?:hours?|days?|weeks?)\b", re.I),
    "value": re.compile(r"^[<>]?\s*-?[\d.,]+\s*(?:%|[a-zµ/^0-9]*/[a-z0-9.]+|mmhg|bpm)\s*$", re.I),
    "duration": re.compile(r"^(?:for\s+)?\d+\s*(?:hours?|days?|weeks?|months?|years?)$", re.I),
    "doctor": re.compile(r"^(?:dr\.?|prof\.?)\s+\w", re.I),
}
_BY_ENDING = {
    field: tuple(sorted(set(text.split()), key=len, reverse=True))
    for field, text in _ENDINGS.items()
}
_BY_WORD: dict[str, frozenset[str]] = {}
for _field, _text in _WORDS.items():
    for _word in _text.split():
        _BY_WORD[_word] = _BY_WORD.get(_word, frozenset()) | {_field}


def shown(name: str) -> set[str]:
    """The fields that one name shows."""
    fields: set[str] = {field for field, form in _FORMS.items() if form.search(name)}
    for word in re.findall(r"[a-z.]+", name.lower()):
        fields |= _BY_WORD.get(word, frozenset())
        if len(word) > 5:
            fields.update(f for f, ends in _BY_ENDING.items() if word.endswith(ends))
    return fields


def profiles(kb: ClinicalKB) -> list[frozenset[str]]:
    """For each type the fields that its names show; dates and numbers by what they are."""
    result = []
    for type in range(len(kb.types)):
        nodes = np.flatnonzero(kb.type_of == type)
        step = max(1, len(nodes) // SAMPLE)
        names = {kb.names[n] for n in nodes[::step][:SAMPLE].tolist()}
        counts: dict[str, int] = {}
        for name in names:
            for field in shown(name) if len(name) < 120 else ():
                counts[field] = counts.get(field, 0) + 1
        fields = {f for f, n in counts.items() if n >= SHARE * len(names)}
        if kb.value_like["date"][type]:
            fields |= {"date"}
        if type == kb.patient_type:
            fields = set()
        result.append(frozenset(fields))
    return result
