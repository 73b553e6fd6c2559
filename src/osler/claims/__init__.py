"""Claims, and the ``stance`` of a text: it supports, refutes, finds no effect, or neither.

Two questions, two answers: how far a paper is about a fact is ``grade``'s; on which side it stands
is told here, at the sentence and for the paper, with a probability. Small linear heads over what
the words, the figures and the rules of negation and direction say; no network is needed.
"""

from osler.claims.judge import stance, trial_result
from osler.claims.verdict import STANCES, Stance

__all__ = ["STANCES", "Stance", "stance", "trial_result"]
