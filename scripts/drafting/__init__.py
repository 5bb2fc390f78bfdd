"""Drafts a mapping file from the facts of both frameworks."""
