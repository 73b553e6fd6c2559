"""Small files of our own that the demo library adds to what is fetched: facts, answers.

They are written for the demo, to show every view with something in it. They are no reference.
"""
