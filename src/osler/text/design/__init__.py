"""What kind of study a paper is, and how many took part, as far as the paper says so."""
