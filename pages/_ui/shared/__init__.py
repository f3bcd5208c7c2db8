"""What several pages use: frame, session, jobs, widgets, charts."""
