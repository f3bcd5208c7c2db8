"""What is known about a text beside its words, and how alike that is."""
