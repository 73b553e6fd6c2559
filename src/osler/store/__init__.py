"""The library on disk: the truth in SQLite, and the indexes that are derived from it."""
