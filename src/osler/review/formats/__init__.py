"""Projects in other programs' formats: what each can show, and a seal that carries the rest."""
