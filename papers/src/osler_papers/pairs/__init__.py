"""Models of text pairs that several papers compare with; imported only when one is used."""
