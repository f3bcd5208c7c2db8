"""What only the page `clusters` uses."""
