"""Ports a whole project: converts a copy of it, or a branch, and says what a person has to look at."""
