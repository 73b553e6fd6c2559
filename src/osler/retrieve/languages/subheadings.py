"""Qualifiers of headings by the letters that MEDLINE gives them, as Ovid and PubMed take them."""

from __future__ import annotations

_LISTED = """
ab abnormalities; ad administration & dosage; ae adverse effects; ag agonists;
aa analogs & derivatives; an analysis; ah anatomy & histology; ai antagonists & inhibitors;
bi biosynthesis; bl blood; bs blood supply; cf cerebrospinal fluid; ch chemistry;
ci chemically induced; cl classification; co complications; cn congenital; cy cytology;
df deficiency; de drug effects; di diagnosis; dg diagnostic imaging; dh diet therapy;
dt drug therapy; ec economics; ed education; em embryology; en enzymology; ep epidemiology;
es ethics; eh ethnology; et etiology; ge genetics; gd growth & development; hi history;
im immunology; in injuries; ir innervation; is instrumentation; ip isolation & purification;
lj legislation & jurisprudence; me metabolism; mt methods; mi microbiology; mo mortality;
nu nursing; og organization & administration; ps parasitology; py pathogenicity; pa pathology;
pk pharmacokinetics; pd pharmacology; pp physiopathology; ph physiology; po poisoning;
pc prevention & control; px psychology; rt radiotherapy; re radiation effects; rh rehabilitation;
se secondary; st standards; sn statistics & numerical data; sd supply & distribution; su surgery;
tu therapeutic use; th therapy; to toxicity; tm transmission; tr transplantation; td trends;
ul ultrastructure; ur urine; ut utilization; ve veterinary; vi virology; ra radiography;
ri radionuclide imaging; us ultrasonography
"""
NAMES: dict[str, str] = {}
for _entry in " ".join(_LISTED.split()).split(";"):
    _letters, _, _name = _entry.strip().partition(" ")
    NAMES.setdefault(_letters, _name)
LETTERS = {name: letters for letters, name in NAMES.items()}

EMBASE: dict[str, str] = {
    "dm_co": "complications", "dm_cn": "congenital", "dm_di": "diagnosis", "dm_dt": "drug therapy",
    "dm_ep": "epidemiology", "dm_et": "etiology", "dm_pc": "prevention & control",
    "dm_rt": "radiotherapy", "dm_rh": "rehabilitation", "dm_su": "surgery", "dm_th": "therapy",
    "dd_ae": "adverse effects", "dd_ad": "administration & dosage", "dd_an": "analysis",
    "dd_dt": "therapeutic use", "dd_pd": "pharmacology", "dd_pk": "pharmacokinetics",
    "dd_to": "toxicity", "dd_pe": "economics",
}  # fmt: skip
"""Embase's links, which say the same of drugs and of diseases, by MEDLINE's names."""
EMBASE_LETTERS = {name: letters for letters, name in EMBASE.items()}


def full(qualifier: str) -> str:
    """A qualifier's name, whether it is given by name or by its two letters."""
    plain = " ".join(qualifier.lower().split())
    return NAMES.get(plain, plain)
