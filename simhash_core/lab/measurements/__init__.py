"""Measurements on labelled collections, one file a question."""
