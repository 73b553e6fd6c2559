"""One file a view of the web page."""
