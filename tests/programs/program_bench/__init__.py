"""The bench of whole programs: a repository with a driver is ported by one command, and both are run and compared."""
