"""What only the page `compare` uses."""
