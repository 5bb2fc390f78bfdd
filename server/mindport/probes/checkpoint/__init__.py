"""Reads files of weights into NumPy without torch and without running anything that a file asks for: a checkpoint from
the internet is data. Imports no framework."""
