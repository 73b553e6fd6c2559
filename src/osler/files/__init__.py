"""Files as a stranger may hand them over: opened with bounds, recognised from their content.

Readers of documents (``corpus``), of terminologies (``knowledge``) and of patient records
(``records``) all build on this room.
"""
