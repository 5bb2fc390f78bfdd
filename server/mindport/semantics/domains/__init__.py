"""Domains: what each says of its own values, on top of what Python does."""
