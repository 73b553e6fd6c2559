"""Their networks."""
