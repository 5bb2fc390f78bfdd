"""Shared parts of the collectors that read the public names of an installed framework."""
