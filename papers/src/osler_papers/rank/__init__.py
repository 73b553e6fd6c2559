"""Rankers and representations that the multi-grain paper compares with (seed 003)."""
