"""Readers of patient records, one format a file; importing this registers them."""

from osler.records.readers import (  # noqa: F401
    brat,
    clinical_triples,
    coreference2011,
    fhir,
    medication2009,
    obesity2008,
    omop,
    relations2010,
    risk2014,
    smoking2006,
    synthea_tables,
    temporal2012,
)
