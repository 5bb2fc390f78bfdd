"""The migration report: what a project is, how far it can go as it is, and what stands in the way."""
