"""As much of torch as the tracer of programs looks at, so that its tests need none."""

from torch import nn, optim, overrides
from torch._tensor import Tensor, device, dtype, float32, int64, strided

__version__ = "0.0"
Size = tuple
__all__ = ["Size", "Tensor", "device", "dtype", "float32", "int64", "nn", "optim", "overrides", "strided"]
