"""The check and the search for pairs over tables: on this machine, and the same on a cluster."""
