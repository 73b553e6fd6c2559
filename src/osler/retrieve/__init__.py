"""What several jobs draw candidates from: query parsing, channels, fusion, filters, evidence."""
