"""What all pages share: frame, session, words and widgets. Pages import only this and the core."""
