"""What only the page `threshold_lab` uses."""
