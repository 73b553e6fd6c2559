"""Weak labels: RCor by clusters of masked fragments, KImp by subject probabilities."""
