"""Rankers of papers, one method a file."""
