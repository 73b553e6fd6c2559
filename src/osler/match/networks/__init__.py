"""The networks of the matchers that learn; they need torch."""
