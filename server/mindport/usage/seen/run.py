"""What the tracer kept of a run, as the file of a trace has it."""

from __future__ import annotations

import hashlib
from typing import Annotated

import msgspec
from msgspec import Meta

_Count = Annotated[int, Meta(ge=0)]
_Column = Annotated[int, Meta(ge=-1)]
_Line = Annotated[int, Meta(ge=0)]
Plain = bool | int | float | str | None
_Flat = Plain | dict[str, str]
Value = _Flat | list[_Flat | list[_Flat]]
MANY = "..."  # the last one of a list that got too long


class SeenTensor(msgspec.Struct, frozen=True):
    """What tensors at one place were. `shape` has None for an axis that varied and is None where the number of axes
    did; `layouts` are `contiguous`, `strided` or torch's own names."""

    dtypes: tuple[str, ...]
    shape: tuple[_Count | None, ...] | None
    devices: tuple[str, ...] = ()
    layouts: tuple[str, ...] = ()
    requires_grad: tuple[bool, ...] = ()


class SeenValue(msgspec.Struct, frozen=True):
    """What one value was over all calls. `types` are names of classes: `torch.Tensor`, `int`, `model.py:Net` of one of
    the project's; `values` all that it was, where they are few and simple, names of torch as `{"torch": name}`; `items`
    what was in it."""

    types: tuple[str, ...]
    tensor: SeenTensor | None = None
    values: tuple[Value, ...] = ()
    items: SeenValue | None = None


class SeenCall(msgspec.Struct, frozen=True):
    """The calls of one name of torch at one place: first and last line and byte columns, the latter -1 where the
    interpreter does not tell them. What stands before the dot of a method is its first argument; of a class only what
    was made is kept."""

    place: tuple[_Line, _Column, _Line, _Column]
    name: str
    times: _Count
    arguments: tuple[SeenValue, ...] = ()
    keywords: dict[str, SeenValue] = {}
    result: SeenValue | None = None


class SeenFunction(msgspec.Struct, frozen=True):
    """What a function of the project got and gave. `name` is qualified as Python does it."""

    name: str
    line: _Line
    times: _Count
    parameters: dict[str, SeenValue] = {}
    result: SeenValue | None = None


class SeenClass(msgspec.Struct, frozen=True):
    """What objects of a class of the project kept."""

    name: str
    attributes: dict[str, SeenValue] = {}


class SeenFile(msgspec.Struct, frozen=True):
    """What was seen in one file, which had a content with this digest."""

    sha256: str
    calls: tuple[SeenCall, ...] = ()
    functions: tuple[SeenFunction, ...] = ()
    classes: tuple[SeenClass, ...] = ()

    def is_of(self, text: str) -> bool:
        """Whether a text is the one that ran."""
        return self.sha256 == digest_of(text)


def digest_of(text: str) -> str:
    """The digest of the content of a file, however its lines end."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()
