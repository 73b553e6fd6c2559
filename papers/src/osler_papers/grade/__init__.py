"""Graders that HiCapsRKL's paper compares with (seed 000, appendix A.3)."""
