"""English words that carry no topic, in one place.

Search, grading and matching leave out the common ones. Models of topics leave out every function
word, as the papers' tool kits do. Each common one's stem is among them too, so that the list serves
words and terms alike.
"""

from __future__ import annotations

from osler.text.scripts import listed

STOPWORDS: frozenset[str] = listed(
    "a an the this that these such what which who",
    "and or but if then not no",
    "of in on at to by for with as into from",
    "is are was were be will has have",
    "it its they their there",
)

FUNCTION_WORDS: frozenset[str] = STOPWORDS | listed(
    "about above across after again against all almost also although among any because been before",
    "being below between both can cannot could did do does doing down during each either else",
    "every few further had having he her here hers herself him himself his how however i itself",
    "just may me might more most much must my myself neither nor now off once only other our ours",
    "ourselves out over own per rather same shall she should since so some still than theirs them",
    "themselves therefore those though through thus too toward under until up upon us very via we",
    "when where whereas whether while whom whose why within without would yet you your yours",
    "yourself",
)
