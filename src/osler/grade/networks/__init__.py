"""The networks of the neural methods; imported only when one is used."""
