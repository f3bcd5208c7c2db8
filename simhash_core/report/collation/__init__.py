"""Two texts laid out for reading: numbered passages, kinds, paragraphs, words that differ."""
