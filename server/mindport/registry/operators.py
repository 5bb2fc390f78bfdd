"""The schemas of ATen's operators, collected by scripts/collect_operator_schemas.py: what C++ can call of torch."""

from __future__ import annotations

import functools
import re

import msgspec

from mindport.registry.location import frameworks_folder

# Where functions of torch lie -> how the names of their operators begin.
_SPACES = {
    "torch.linalg.": "linalg_",
    "torch.special.": "special_",
    "torch.fft.": "fft_",
    "torch.nn.functional.": "",
    "torch.Tensor.": "",
    "torch.": "",
}
_PARAMETER = re.compile(r"(?P<type>[A-Za-z]+[\[\]\d?]*) (?P<name>\w+)(?:=(?P<default>.+))?")


class OperatorParameter(msgspec.Struct, frozen=True):
    """One parameter: its type in the words of schemas (`Tensor`, `int[2]`, `float?`), and its default as text."""

    type: str
    name: str
    default: str | None = None
    keyword_only: bool = False

    @property
    def holds_tensors(self) -> bool:
        """Whether it takes a tensor, or several."""
        return self.type.startswith("Tensor")


class OperatorSchema(msgspec.Struct, frozen=True):
    """One way to call an operator of the C++ namespace `at`; `returns` are types."""

    operator: str
    parameters: tuple[OperatorParameter, ...]
    returns: tuple[str, ...]


class _File(msgspec.Struct, frozen=True):
    torch: str
    operators: dict[str, tuple[str, ...]]


@functools.cache
def _operators() -> dict[str, tuple[str, ...]]:
    data = (frameworks_folder() / "operator_schemas.json").read_bytes()
    return msgspec.json.decode(data, type=_File).operators


def operator_schemas(torch_name: str) -> tuple[OperatorSchema, ...]:
    """The schemas of the operator behind a function or a method of tensors; none where torch computes it by others."""
    for space, start in _SPACES.items():
        if torch_name.startswith(space):
            name = start + torch_name.removeprefix(space)
            return tuple(_read(name, text) for text in _operators().get(name, ()))
    return ()


def _read(operator: str, text: str) -> OperatorSchema:
    inside, _, returned = text.removeprefix("(").partition(") -> ")
    parameters = []
    keyword_only = False
    for part in re.split(r", (?![^\[]*\])", inside):
        if part == "*":
            keyword_only = True
            continue
        match = _PARAMETER.fullmatch(part)
        assert match is not None, f"{operator}: {part}"
        parameters.append(OperatorParameter(match["type"], match["name"], match["default"], keyword_only))
    returns = tuple(one.split(" ")[0] for one in returned.strip("()").split(", "))
    return OperatorSchema(operator, tuple(parameters), returns)
