"""Patient records: readers, the clinical knowledge base, its questions, the simulator."""
