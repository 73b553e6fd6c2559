"""One file a resource of the REST interface."""
