"""Sentences of the interface: a folder a language, read by `simhash_core.i18n`."""
