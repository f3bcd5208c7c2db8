"""What only the page Repost desk uses."""
