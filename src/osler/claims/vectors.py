"""What the vectors of a text's concluding sentences say: that something was found, or nothing was.

Words and rules know "not", "fewer" and "effective"; that "the yield was 7 %" is a no, they do not.
The encoder that ships gives each sentence a vector; those of the first, the last, and the one
nearest to the question are what the head ``vectors`` is taught by. A text in a language that the
encoder does not read, or an installation without its weights, has none: the other heads decide.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from osler.claims.conclusion import conclusion
from osler.claims.heads import Floats, LinearHead
from osler.claims.trial import Features
from osler.claims.weights import Weights
from osler.text.encoder import load_encoder
from osler.text.encoding import Encoder
from osler.text.model_folder import SMALL, shipped

PLACES = ("first", "nearest", "last")


@lru_cache(maxsize=1)
def _encoder() -> Encoder | None:
    """Our own encoder, where its weights are here."""
    return load_encoder(SMALL) if shipped(SMALL) is not None else None


def fingerprint() -> str:
    """Of the encoder; a head that another one taught means nothing. Empty where there is none."""
    encoder = _encoder()
    return encoder.fingerprint if encoder is not None else ""


@lru_cache(maxsize=8_192)
def _vector(sentence: str) -> npt.NDArray[np.float32]:
    encoder = _encoder()
    assert encoder is not None
    return np.asarray(encoder.encode([sentence])[0], dtype=np.float32)


def forget() -> None:
    """Looks for the encoder anew: its folder is a setting."""
    _encoder.cache_clear()
    _vector.cache_clear()


def likeness(one: str, other: str) -> float | None:
    """Cosine of two texts' vectors; None where the encoder is not here or cannot read them."""
    encoder = _encoder()
    if encoder is None or not (encoder.reads(one) and encoder.reads(other)):
        return None
    return float(_vector(one) @ _vector(other))


def vector_features(asked: str, text: str, finder: LinearHead | None) -> Features:
    """Numbers of the three sentences' vectors, by name; none where the encoder cannot read them."""
    encoder = _encoder()
    if encoder is None or not (encoder.reads(asked) and encoder.reads(text)):
        return {}
    begin, places = conclusion(text, finder)
    vectors = [_vector(text[start:end]) for start, end in places[begin:]] or [_vector(text)]
    own = _vector(asked)
    nearest = max(range(len(vectors)), key=lambda at: (round(float(vectors[at] @ own), 6), -at))
    features: Features = {"bias": 1.0}
    chosen = (vectors[0], vectors[nearest], vectors[-1])
    for name, vector in zip(PLACES, chosen, strict=True):
        features |= {f"{name} {at}": value for at, value in enumerate(vector.tolist())}
    return features


def vector_scores(asked: str, text: str, heads: Weights) -> Floats:
    """Scores of yes, no and maybe; zeros where there are no vectors, or those of an encoder that
    did not teach the head."""
    if fingerprint() != heads.encoder:
        return np.zeros(len(heads.vectors.classes))
    return heads.vectors.scores(vector_features(asked, text, heads.finder))
