"""Measures: of retrieval, of classification, of agreement, and whether a difference is one."""
