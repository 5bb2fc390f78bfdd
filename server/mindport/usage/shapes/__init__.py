"""Finds the places where a shape depends on data: a small interpreter of its own over functions that use tensors."""
