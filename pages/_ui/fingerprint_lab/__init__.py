"""What only the page `fingerprint_lab` uses."""
