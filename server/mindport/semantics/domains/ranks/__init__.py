"""How many axes tensors have."""
