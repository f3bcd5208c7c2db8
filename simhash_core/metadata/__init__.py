"""Metadata of texts (file properties, columns of a table) and how similar they are."""
