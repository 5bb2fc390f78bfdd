"""How a project trains: its structure, settings and tricks, read from the code without running it."""
