"""Rankers of sentences, one method a file."""
