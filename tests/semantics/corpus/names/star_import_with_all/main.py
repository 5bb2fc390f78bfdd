"""A star import brings what __all__ lists, underscore or not, and nothing else."""

hidden = "mine"
public = "mine"
from parts import *

answer = (public, hidden, _private)
