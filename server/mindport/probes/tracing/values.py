"""What was seen of one value over all calls: its types and, of tensors, dtype, shape, device and layout. It is bounded,
whatever a program does."""

from __future__ import annotations

from typing import Any, Callable

MOST_TYPES = 8
MOST_VALUES = 8
MOST_TEXT = 80
_MOST_ITEMS = 16
_DEEPEST = 3
_SCALARS = (bool, int, float, str, type(None))


class TracedValue:
    """One value. `shape` has None for axes that varied, and is None itself where the number of axes did; `values` is
    None where there were too many, or such as cannot be written."""

    __slots__ = ("devices", "dtypes", "gradients", "items", "layouts", "shape", "times", "types", "values")

    def __init__(self) -> None:
        self.times = 0
        self.types: list[str] = []
        self.dtypes: list[str] = []
        self.devices: list[str] = []
        self.layouts: list[str] = []
        self.gradients: list[bool] = []
        self.shape: list[int | None] | None = None
        self.values: list[Any] | None = []
        self.items: TracedValue | None = None

    def note(self, value: Any, name_of: Callable[[Any], str], torch: Any, depth: int = 0) -> None:
        """Take in one more value. `name_of` gives the name of its class."""
        _add(self.types, name_of(type(value)), MOST_TYPES)
        if isinstance(value, torch.Tensor):
            self._note_tensor(value, torch)
            self.values = None
        else:
            self._note_value(value, torch)
            if isinstance(value, (list, tuple, dict, set, frozenset)) and depth < _DEEPEST:
                parts = list(value.values()) if isinstance(value, dict) else list(value)
                if self.items is None:
                    self.items = TracedValue()
                for part in parts[:_MOST_ITEMS]:
                    self.items.note(part, name_of, torch, depth + 1)
        self.times += 1

    def _note_tensor(self, value: Any, torch: Any) -> None:
        shape = [int(size) for size in value.shape]
        known = self.shape
        if not self.dtypes:
            self.shape = list(shape)
        elif known is not None:
            is_alike = len(known) == len(shape)
            self.shape = [a if a == b else None for a, b in zip(known, shape)] if is_alike else None
        _add(self.dtypes, str(value.dtype), MOST_VALUES)
        _add(self.devices, value.device.type, MOST_VALUES)
        if value.layout is torch.strided:
            _add(self.layouts, "contiguous" if value.is_contiguous() else "strided", MOST_VALUES)
        else:
            _add(self.layouts, str(value.layout), MOST_VALUES)
        _add(self.gradients, bool(value.requires_grad), 2)

    def _note_value(self, value: Any, torch: Any) -> None:
        if self.values is None:
            return
        plain = _plain(value, torch)
        if plain is _UNWRITTEN or (len(self.values) >= MOST_VALUES and not _is_among(plain, self.values)):
            self.values = None
        elif not _is_among(plain, self.values):
            self.values.append(plain)

    def to_json(self) -> dict[str, Any]:
        """As it is written; what says nothing is left out."""
        found: dict[str, Any] = {"types": self.types}
        if self.dtypes:
            found["tensor"] = {
                "dtypes": self.dtypes,
                "shape": self.shape,
                "devices": self.devices,
                "layouts": self.layouts,
                "requires_grad": self.gradients,
            }
        if self.values:
            found["values"] = self.values
        if self.items is not None and self.items.times:
            found["items"] = self.items.to_json()
        return found


_UNWRITTEN = object()


def _plain(value: Any, torch: Any, depth: int = 0) -> Any:
    """The value as JSON can have it: names of torch as `{"torch": name}`. Only of Python's own classes, as others may
    compute anything."""
    kind = type(value)
    if kind in _SCALARS:
        if kind is str:
            return value if len(value) <= MOST_TEXT else _UNWRITTEN
        if kind is int:
            return value if abs(value) < 2**53 else _UNWRITTEN
        if kind is float:
            return value if value - value == 0 else _UNWRITTEN
        return value
    if kind is torch.dtype:
        return {"torch": str(value)}
    if kind in (tuple, list, torch.Size) and len(value) <= MOST_VALUES and depth < 2:
        parts = [_plain(part, torch, depth + 1) for part in value]
        return _UNWRITTEN if any(part is _UNWRITTEN for part in parts) else parts
    return _UNWRITTEN


def _is_among(value: Any, values: list[Any]) -> bool:
    return any(type(one) is type(value) and one == value for one in values)


def _add(values: list[Any], value: Any, most: int) -> None:
    """Add what is new; where there are too many the last place says so."""
    if value in values:
        return
    if len(values) < most:
        values.append(value)
    elif values[-1] != "...":
        values.append("...")
