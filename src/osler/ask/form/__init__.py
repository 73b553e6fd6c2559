"""Questions as logical forms over facts: read from words, shown in words, compiled to SQL."""
