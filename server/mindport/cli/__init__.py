"""The command line: arguments in, findings on stdout, all else on stderr, the outcome in the exit code."""
