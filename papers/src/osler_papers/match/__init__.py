"""Matchers that MKHAN's paper compares with (seed 001, 4.2)."""
