"""Our own questions over the records of ask_fhir and synthea_fhir_r4, a set a file."""
