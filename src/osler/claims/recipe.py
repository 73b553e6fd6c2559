"""A head of one's own, for claims with labels: supports, refutes, neutral.

All features of the heads that ship, with what these heads say, under names of their own.
"""

from __future__ import annotations

from osler.claims.about import about_features
from osler.claims.answer import answer_features, side_features
from osler.claims.judge import stance
from osler.claims.trial import Features
from osler.claims.weights import Weights, shipped


def recipe_features(claim: str, text: str, weights: Weights | None = None) -> Features:
    """What a head over labelled claims looks at."""
    heads = weights or shipped()
    features: Features = {}
    for name, value in answer_features(claim, text, finder=heads.finder).items():
        features[name] = value
    for name, value in side_features(claim, text, finder=heads.finder).items():
        if name[1:2] != ":":
            features[f"side {name}"] = value
    for name, value in about_features(claim, text, finder=heads.finder).items():
        features[f"about {name}"] = value
    one = stance(claim, text, weights=heads)
    features["told supports"] = one.supports
    features["told refutes"] = one.refutes
    features["told neutral"] = one.neutral
    features["told lean"] = (one.supports - one.refutes) / max(0.05, one.supports + one.refutes)
    return features
