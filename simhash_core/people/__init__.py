"""Who wrote what: authors by the names of files, or by a class list."""
