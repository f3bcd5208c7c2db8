"""What all sentences of a language have in common, as vectors: made by `build`."""
