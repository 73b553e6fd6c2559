"""Reading a question symbolically: mentions, relations, tests, and the graph query they make."""
