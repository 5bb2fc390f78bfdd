"""Goes through a loader of the user and tells the shapes of what it gives, and of what the layers of a model give.

Request: `file`, `loader` (an expression in the names of the file), `entry` (what builds the model; empty for none),
`batches` (the most to look at), `path` (folders to import from). The answer has `batches` (how many came), `is_whole`
(whether these were all), `values` (name -> one shape for each batch, null where it was missing), `layers` (the same for
the outputs of layers, with the class in `kinds`) and `error`, what the user's code raised."""

from __future__ import annotations

import itertools
import sys
import warnings
from typing import Any

from probe_channel import serve_once
from program.arrays import leaves
from program.entry import build, load_module

_LIBRARIES = ("torch", "mindspore", "numpy")


def probe(request: dict[str, Any]) -> dict[str, Any]:
    """Load the file, go through the loader."""
    warnings.simplefilter("ignore")
    sys.path[:0] = request.get("path", [])
    answer: dict[str, Any] = {
        "batches": 0, "is_whole": False, "values": {}, "layers": {}, "kinds": {}, "error": ""
    }  # fmt: skip
    try:
        _run(request, answer)
    except Exception as error:  # noqa: BLE001 - the user's program may raise anything
        answer["error"] = f"{type(error).__name__}: {error}"
    return answer


def _run(request: dict[str, Any], answer: dict[str, Any]) -> None:
    module = load_module(request["file"])
    loader = build(module, request["loader"])
    model = build(module, request["entry"]) if request["entry"] else None
    layers = _Layers(model) if model is not None else None
    batches = iter(loader)
    for number, batch in enumerate(itertools.islice(batches, request["batches"])):
        answer["batches"] = number + 1
        for name, value in leaves(batch, _has_shape, "batch"):
            _keep(answer["values"], name, number, value)
        if layers is not None and model is not None:
            layers.run(model, batch, number, answer)
    answer["is_whole"] = next(batches, None) is None
    for shapes in (*answer["values"].values(), *answer["layers"].values()):
        shapes.extend([None] * (answer["batches"] - len(shapes)))


class _Layers:
    """Keeps what the layers of a torch model give, by hooks."""

    def __init__(self, model: Any) -> None:
        self.outputs: list[tuple[str, str, Any]] = []
        for name, layer in model.named_modules():
            if name:
                layer.register_forward_hook(self._hook(name))

    def _hook(self, name: str) -> Any:
        def keep(layer: Any, _inputs: Any, output: Any) -> None:
            self.outputs.append((name, type(layer).__name__, output))

        return keep

    def run(self, model: Any, batch: Any, number: int, answer: dict[str, Any]) -> None:
        """Call the model with the first value of the batch."""
        import torch

        self.outputs.clear()
        first = next((value for _, value in leaves(batch, torch.is_tensor, "batch")), batch)
        with torch.no_grad():
            model(first)
        for name, kind, output in self.outputs:
            answer["kinds"][name] = kind
            for path, value in leaves(output, torch.is_tensor, name):
                _keep(answer["layers"], path, number, value)
                answer["kinds"].setdefault(path, kind)


def _keep(shapes: dict[str, list[Any]], name: str, number: int, value: Any) -> None:
    found = shapes.setdefault(name, [])
    found.extend([None] * (number - len(found)))
    if len(found) == number:
        found.append([int(size) for size in value.shape])


def _has_shape(value: Any) -> bool:
    return type(value).__module__.partition(".")[0] in _LIBRARIES and hasattr(value, "shape")


if __name__ == "__main__":
    serve_once(probe)
