"""Writes a call of torch as source: tensors become variables, everything else is written out."""

from __future__ import annotations

import base64
import math
from typing import Any

import msgspec
import numpy
import torch

_NUMBERS = (bool, int, float, complex, str, type(None))


class NotWritable(Exception):
    """A value that cannot be written as source; the text says what."""


class Sample(msgspec.Struct, frozen=True):
    """One call: the source of a module that defines `call(x0, x1, ...)`, and its inputs."""

    database: str  # opinfo, moduleinfo, optimizerinfo
    label: str  # the entry: max.reduction_with_dim, nn.Linear, optim.Adam
    form: str  # function, method, in-place, module, optimizer
    number: int  # of the sample in its entry
    source: str
    arrays: dict[str, dict[str, Any]] = {}
    gradient_of: tuple[str, ...] = ()
    compare: str = "value"


class Unwritten(msgspec.Struct, frozen=True):
    """A sample that is not judged, and why."""

    database: str
    label: str
    form: str
    number: int
    reason: str


class ArgumentWriter:
    """Names the tensors of a call and keeps them."""

    def __init__(self) -> None:
        self.arrays: dict[str, dict[str, Any]] = {}
        self.gradient_of: list[str] = []
        self._names: dict[int, str] = {}

    def text(self, value: Any) -> str:
        """The source of a value; raises NotWritable."""
        if isinstance(value, torch.Tensor):
            return self._tensor(value)
        if isinstance(value, float) and not math.isfinite(value):
            return f'float("{value}")'
        if isinstance(value, _NUMBERS) and type(value) in _NUMBERS:
            return repr(value)
        if isinstance(value, (torch.dtype, torch.layout, torch.memory_format)):
            return str(value)
        if isinstance(value, torch.device):
            return repr(str(value))
        if isinstance(value, numpy.generic):
            return repr(value.item())
        if isinstance(value, (tuple, torch.Size)):
            inside = ", ".join(self.text(item) for item in value)
            return f"({inside},)" if len(value) == 1 else f"({inside})"
        if isinstance(value, list):
            return f"[{', '.join(self.text(item) for item in value)}]"
        if isinstance(value, dict):
            return "{" + ", ".join(f"{self.text(k)}: {self.text(v)}" for k, v in value.items()) + "}"
        raise NotWritable(f"a {type(value).__name__} has no source")

    def index(self, value: Any) -> str:
        """The source of what stands between square brackets."""
        if isinstance(value, tuple):
            return ", ".join(self.index(item) for item in value) or "()"
        if value is Ellipsis:
            return "..."
        if isinstance(value, slice):
            parts = ["" if one is None else self.text(one) for one in (value.start, value.stop)]
            return ":".join(parts) + ("" if value.step is None else f":{self.text(value.step)}")
        return self.text(value)

    def arguments(self, args: Any, kwargs: dict[str, Any]) -> str:
        """The source between the parentheses of a call."""
        return ", ".join(
            [*(self.text(one) for one in args), *(f"{name}={self.text(one)}" for name, one in kwargs.items())]
        )

    def parameters(self) -> str:
        """The parameters of the function that makes the call."""
        return ", ".join(f"{name}: torch.Tensor" for name in self.arrays)

    def _tensor(self, value: Any) -> str:
        name = self._names.get(id(value))
        if name is not None:
            return name
        if value.layout is not torch.strided or value.is_quantized or value.dtype is torch.bfloat16:
            raise NotWritable(f"a tensor of {value.dtype if value.layout is torch.strided else value.layout}")
        name = self._names[id(value)] = f"x{len(self._names)}"
        plain = value.detach().resolve_conj().resolve_neg().contiguous().numpy()
        self.arrays[name] = {
            "dtype": str(plain.dtype),
            "shape": list(plain.shape),
            "data": base64.b64encode(plain.tobytes()).decode(),
        }
        if value.requires_grad:
            self.gradient_of.append(name)
        return name
