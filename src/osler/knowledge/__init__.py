"""Knowledge: graphs, terminologies, the linker, paths."""
