"""The REST interface, the web page and the tools for assistants, over one library."""
