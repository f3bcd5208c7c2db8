"""What only the page `check` uses."""
