"""The page of a passage that many texts share."""
