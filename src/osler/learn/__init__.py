"""Learning: one training loop, and the text-pair models that several papers compare with.

Nothing heavy is imported here: torch enters when a training or a model is asked for, through
:func:`osler.learn.needs.torch`, which explains itself where torch is not installed.
"""
