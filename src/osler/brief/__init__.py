"""The brief: what a library says of a question, on one page, word for word.

``brief`` holds what stands on the page; ``markdown``, ``html`` and ``word`` write it. The verb
(``osler.verbs.brief``) searches, weighs and fills it. Nothing here makes a sentence about medicine:
every statement is a quote with its place in a paper.
"""

from osler.brief.brief import Brief, Quote, Searched
from osler.brief.files import written

__all__ = ["Brief", "Quote", "Searched", "written"]
