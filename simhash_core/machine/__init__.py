"""What runs the work: processes, memory, compiled loops; nothing here knows what a text is."""
