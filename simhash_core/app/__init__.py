"""The application as a process: server, browser tab, window."""
