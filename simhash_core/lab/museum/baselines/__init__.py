"""The methods that SimHash is compared with: exact hash, vectors, shingles, MinHash, filters."""
