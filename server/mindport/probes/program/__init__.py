"""Runs a whole program, a model in a file of the user, in one framework: what `verify_torch.py` and
`verify_mindspore.py` share. Imports no framework."""
