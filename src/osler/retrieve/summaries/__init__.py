"""Extractive summaries for documents whose abstract is missing or too short (seed 002, 3.2)."""

from osler.retrieve.summaries.sentences import needs_summary, valid_abstract
from osler.retrieve.summaries.summarise import Summary, SummarySentence, represent, summarise
from osler.retrieve.summaries.summariser import Summariser, summarisers

__all__ = [
    "Summariser",
    "Summary",
    "SummarySentence",
    "needs_summary",
    "represent",
    "summarise",
    "summarisers",
    "valid_abstract",
]
