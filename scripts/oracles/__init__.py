"""Keeps what oracle runs saw: in the mapping files, and as a report on PyTorch's own samples."""
