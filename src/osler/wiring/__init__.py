"""Between the library and the jobs.

Jobs never see the library itself: each file here turns it into what one job works on.
"""
