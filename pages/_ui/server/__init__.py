"""The page Server."""
