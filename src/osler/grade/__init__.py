"""``grade``: how relevant a paper is to a fact (head, relation, tail), and why.

Liu, Chen, Chen, Zhou, Liu, Yang, Peng 2022, "Leveraging Capsule Routing to Associate Knowledge
with Medical Literature Hierarchically" (HiCapsRKL), its labels, its comparisons, and a method of
our own. Grades: H highly, F fairly, M marginally relevant, I irrelevant.
"""

from osler.grade.grader import Grader, graders
from osler.grade.pair import Fact, Pair
from osler.grade.scale import GRADES, PAPER, SAMPLE, Scale

__all__ = ["GRADES", "PAPER", "SAMPLE", "Fact", "Grader", "Pair", "Scale", "graders"]
