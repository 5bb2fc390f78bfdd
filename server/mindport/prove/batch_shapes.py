"""Which shapes of a loader's batches vary, found by going through it in the user's interpreter."""

from __future__ import annotations

from pathlib import Path

import msgspec

from mindport.registry.probe import ProbeFailure, run_probe

Shape = tuple[int, ...]


class ShapeSeries(msgspec.Struct, frozen=True):
    """The shapes of one value over the batches; None where a batch did not have it."""

    name: str
    shapes: tuple[Shape | None, ...]
    kind: str = ""  # the class of the layer that gives it

    @property
    def varies(self) -> bool:
        """Whether not all are the same."""
        return len(set(self.shapes)) > 1

    @property
    def only_last(self) -> bool:
        """Whether the last batch alone is another one, by its first axis only."""
        *rest, last = self.shapes
        if len(set(rest)) != 1 or last is None or rest[0] is None or last == rest[0]:
            return False
        return len(last) == len(rest[0]) and last[1:] == rest[0][1:]

    def axes(self) -> tuple[tuple[int, int, int], ...]:
        """The axes that vary, each with its smallest and largest size; empty where even their number does."""
        present = [shape for shape in self.shapes if shape is not None]
        if len({len(shape) for shape in present}) != 1:
            return ()
        sizes = enumerate(zip(*present, strict=True))
        return tuple((axis, min(found), max(found)) for axis, found in sizes if len(set(found)) > 1)


class BatchShapes(msgspec.Struct, frozen=True):
    """What going through a loader showed. `is_whole` says whether it came to its end; `problem` is what stopped it."""

    batches: int = 0
    is_whole: bool = False
    values: tuple[ShapeSeries, ...] = ()
    layers: tuple[ShapeSeries, ...] = ()
    problem: str = ""


class _Answer(msgspec.Struct):
    batches: int
    is_whole: bool
    values: dict[str, list[Shape | None]]
    layers: dict[str, list[Shape | None]]
    kinds: dict[str, str]
    error: str


def batch_shapes(
    interpreter: Path, file: Path, loader: str, entry: str, batches: int, seconds: float
) -> BatchShapes:
    """Run the loader's expression in the names of the file, in a process of its own that ends after `seconds`; with
    `entry`, an expression that builds a torch model, its layers as well."""
    place = file.resolve()
    request: dict[str, object] = {
        "file": str(place),
        "loader": loader,
        "entry": entry,
        "batches": batches,
        "path": [str(place.parent), str(Path.cwd())],
    }
    answer = run_probe(interpreter, "batch_shapes", request, seconds)
    if isinstance(answer, ProbeFailure):
        return BatchShapes(problem=answer.reason)
    found = msgspec.convert(answer.content, _Answer)
    return BatchShapes(
        found.batches,
        found.is_whole,
        tuple(ShapeSeries(name, tuple(shapes)) for name, shapes in found.values.items()),
        tuple(ShapeSeries(name, tuple(shapes), found.kinds[name]) for name, shapes in found.layers.items()),
        found.error,
    )
