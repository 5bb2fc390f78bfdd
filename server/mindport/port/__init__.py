"""Ports whole projects: what goes along, what is written, what a person has to look at."""
