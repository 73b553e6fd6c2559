"""Representations of section 3.1: a text as a vector, one form a file."""

from osler.rank.representations.base import Representation, representations

__all__ = ["Representation", "representations"]
