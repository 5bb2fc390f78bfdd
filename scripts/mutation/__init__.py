"""Mutants of the catalogue, and whether the runs behind its claims catch them."""
