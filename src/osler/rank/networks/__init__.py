"""Networks of torch; imported only when one is trained or run."""
