"""Answers to health questions: candidates in order, each explained by entities and paths.

``matcher`` says what a matcher is and knows all of them by name, one a file; ``job.match`` is the
verb. The method of seed 001 (MKHAN) and what it is compared with stand beside Osler's own default.
"""

from osler.match.matcher import Candidate, Matcher, matchers

__all__ = ["Candidate", "Matcher", "matchers"]
