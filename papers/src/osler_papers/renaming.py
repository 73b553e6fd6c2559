"""The same records as another hospital would write them: every relation and some types renamed.

Used to test that the answerer reads relation names that training never saw. The names are what
other systems might say; no question template uses them.
"""

from __future__ import annotations

from osler.records.kb import ClinicalKB

RELATIONS = {
    "has record": "document_of",
    "has narrative": "note_section",
    "contains": "section_item",
    "has smoking status": "tobacco_use",
    "has evidence": "supporting_statement",
    "diagnosed with": "dx",
    "does not have": "dx_ruled_out_not",
    "possibly has": "dx_possible",
    "judged to have": "reviewer_judgement",
    "has comorbidity": "coexisting_condition",
    "prescribed with": "medication_order",
    "has dosage": "dose_amount",
    "has mode": "route_of_administration",
    "has frequency": "dosing_interval_frequency",
    "has duration": "length_of_therapy",
    "has reason": "indication",
    "has event": "timeline_event",
    "has time": "relative_time",
    "has certainty": "confidence",
    "found in": "text_place",
    "has condition": "treated_condition",
    "has problem": "problem_list",
    "received": "performed_or_received",
    "has assertion": "assertion_status",
    "treatment improves problem": "therapy_improved",
    "treatment worsens problem": "therapy_made_worse",
    "treatment causes problem": "side_effect_caused",
    "treatment administered for problem": "therapy_given_for",
    "treatment not administered because of problem": "therapy_withheld_because",
    "test reveals problem": "exam_finding_revealed",
    "test conducted to investigate problem": "exam_ordered_to_evaluate",
    "problem indicates problem": "suggests_problem",
    "mentions problem": "text_problem",
    "mentions test": "text_test",
    "mentions treatment": "text_treatment",
    "coref problem": "same_as_problem",
    "coref test": "same_as_test",
    "coref treatment": "same_as_treatment",
    "coref person": "same_as_person",
    "before": "precedes_before",
    "overlap": "overlapping_with",
    "simultaneous": "at_same_moment",
    "during": "within_during",
    "begun by": "initiated_by",
    "ended by": "terminated_by",
    "before overlap": "earlier_and_overlapping",
    "admitted on": "admit_date",
    "discharged on": "discharge_date",
    "has polarity": "negation_polarity",
    "has modality": "modal_status",
    "has value": "normalized_value",
    "has risk factor": "cardiac_risk",
    "has indicator": "risk_indicator",
    "has drug class": "pharmacologic_class",
    "has family history": "fhx_family_history",
    "recorded on": "date_of_document",
}


def renamed(kb: ClinicalKB) -> ClinicalKB:
    """A copy with other relation names; ids, names and sources stay."""
    return ClinicalKB(
        ids=kb.ids,
        names=kb.names,
        synonyms=kb.synonyms,
        types=kb.types,
        type_of=kb.type_of,
        relations=[RELATIONS.get(r, f"{r}_rel") for r in kb.relations],
        triples=kb.triples,
        sources=kb.sources,
    )
