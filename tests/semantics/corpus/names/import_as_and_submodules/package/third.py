from .deep import leaf
from . import other, name

value = (leaf.value, other.value, name)
