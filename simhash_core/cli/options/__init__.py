"""What every command takes. Nothing that runs a command is imported here."""
