"""Search structures of the sources and the literature, run for comparison; none serves a check."""
