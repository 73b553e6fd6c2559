"""Fusion: several channels' scores as one. One method a file, chosen by name or object."""

from osler.retrieve.fusion.base import Fusion, fusions
from osler.retrieve.fusion.min_max import MinMax
from osler.retrieve.fusion.reciprocal_rank import ReciprocalRank
from osler.retrieve.fusion.z_score import ZScore

__all__ = ["Fusion", "MinMax", "ReciprocalRank", "ZScore", "fusions"]
