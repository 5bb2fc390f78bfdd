"""How shapes of tensors come to depend on data."""
