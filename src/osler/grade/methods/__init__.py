"""The methods, one a file; each registers itself as a grader."""
