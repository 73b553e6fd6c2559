"""Readers of documents, one format a file; ``readers`` registers them."""
