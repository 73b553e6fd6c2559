"""The same paper twice: groups of records that are probably one, shown and never merged."""
