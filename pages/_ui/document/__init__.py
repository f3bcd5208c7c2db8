"""What only the page `document` uses."""
