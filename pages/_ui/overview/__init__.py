"""What only the page `overview` uses."""
