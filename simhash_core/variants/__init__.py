"""What many texts share: groups of texts, and where their wordings differ."""
