"""A small anchor-free detector in PyTorch: what mindport is shown by default."""
