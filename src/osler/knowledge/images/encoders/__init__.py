"""Image encoders, one a file."""
