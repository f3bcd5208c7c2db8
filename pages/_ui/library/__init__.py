"""The page Library."""
