"""The pages: one folder each, and `shared` for what several of them use."""
