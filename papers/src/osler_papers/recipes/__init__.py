"""The recipes, two files each: ``NAME.yaml`` says what is expected, ``NAME.py`` runs it."""
