"""Review: a systematic review as a project, its state folded from a log of decisions."""
