from . import layers
from .layers import *

shared = "kit"
__all__ = ["linear"] + [n for n in layers.__all__ if n != "linear"]
__all__ += ()
