"""One file a verb: the request with its limits, which model, run. Every door comes through here.

Python (``Library``), the command line, REST, the page and the tools for assistants turn words or
JSON into the same request and show what comes back. A verb works on a library that is open; what
is dear it keeps there (``Library.keep``) under the stamp of the tables that it depends on.
"""
