"""Makes the calls again that `trace --calls` kept of a program in torch, in its port, and compares what they give.

Request: `root` (the folder of the port), `calls` (the .npz), `mode`, `device`. torch cannot be imported here. The
answer has `calls`: for each, in the order in which they ended in torch, `file`, `line`, `name`, `turn`, `status`
(`same`, `differs`, `fails`, `random`, `absent`, `unkept`) and `what`. A network is built anew with the arguments that
it had, and gets its weights of that moment."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import os
import sys
import warnings
from typing import Any

import numpy
from probe_channel import serve_once
from program.arrays import leaves
from program.missing_torch import TorchIsMissing

CLOSE = 1e-4  # of the largest value of a result
ROUNDED = (
    1e-6  # of the largest value that went in or out: a sum of what cancels out is no larger than its rounding
)


class NotInPort(Exception):
    """The port has no such function, or it cannot be reached without running a script."""


def probe(request: dict[str, Any]) -> dict[str, Any]:
    """Make all calls again."""
    warnings.simplefilter("ignore")
    sys.meta_path.insert(0, TorchIsMissing())
    with numpy.load(request["calls"]) as file:
        arrays = {name: file[name] for name in file.files}
    about = json.loads(arrays.pop("about").tobytes())
    root = request["root"]
    sys.path[:0] = [os.path.normpath(os.path.join(root, one)) for one in about["paths"]]  # noqa: PTH118
    os.chdir(root)
    import mindspore

    mode = mindspore.GRAPH_MODE if request["mode"] == "graph" else mindspore.PYNATIVE_MODE
    mindspore.set_context(mode=mode)
    mindspore.set_device(request["device"])
    replay = Replay(mindspore, root, arrays)
    unkept = [
        {**one, "turn": 1, "status": "unkept", "what": f"no {one['kind']} can be given to the port"}
        for one in about["unkept"]
    ]
    for one in unkept:
        del one["kind"]
    return {"calls": [*(replay.again(call) for call in about["calls"]), *unkept]}


class Replay:
    """The port, called as torch was."""

    def __init__(self, mindspore: Any, root: str, arrays: dict[str, Any]) -> None:
        self._mindspore = mindspore
        self._root = root
        self._arrays = arrays
        self._modules: dict[str, Any] = {}

    def again(self, call: dict[str, Any]) -> dict[str, Any]:
        """Make one call, and say how it went."""
        said = {name: call[name] for name in ("file", "line", "name", "turn")}
        folder = os.path.normpath(os.path.join(self._root, call["folder"]))  # noqa: PTH118
        try:
            if os.path.isdir(folder):  # noqa: PTH112
                os.chdir(folder)
            status, what = self._compared(call)
        except NotInPort as error:
            status, what = "absent", str(error)
        except FileNotFoundError as error:
            status, what = "absent", f"it reads {error.filename}, which is not there"
        except Exception as error:  # noqa: BLE001 - the user's program may raise anything
            status, what = "fails", f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
        return {**said, "status": status, "what": what}

    def _compared(self, call: dict[str, Any]) -> tuple[str, str]:
        function = self._network(call["network"]) if "network" in call else self._named(call, call["name"])
        by_place, by_name = self._arguments(call["arguments"])
        given = self._leaves([by_place, by_name])
        result = function(*by_place, **by_name)
        expected, found = self._leaves(self._value(call["result"])), self._leaves(result)
        if call["is_random"]:
            shapes = {path: one.shape for path, one in expected.items()}
            differs = shapes != {path: one.shape for path, one in found.items()}
            return ("differs", "its shapes differ") if differs else ("random", "")
        if expected.keys() != found.keys():
            return "differs", f"{sorted(expected)} in torch, {sorted(found)} in the port"
        floor = ROUNDED * max(map(_largest, (*given.values(), *expected.values())), default=0.0)
        for path, one in expected.items():
            what = _difference(one, found[path], floor)
            if what:
                return "differs", f"{path} {what}"
        return "same", ""

    def _network(self, said: dict[str, Any]) -> Any:
        from program.mindspore_weights import load_weights

        by_place, by_name = self._arguments(said["arguments"])
        network = self._named(said, said["class"])(*by_place, **by_name)
        reference = {f"weight:{name}": self._arrays[key] for name, key in said["weights"].items()}
        placed = load_weights(network, {**reference, "learned": numpy.array(said["learned"])})
        for name, key in said["weights"].items():
            if name not in placed and not name.endswith("num_batches_tracked"):
                self._set_buffer(network, name, self._arrays[key])
        network.set_train(said["is_training"])
        return network

    def _set_buffer(self, network: Any, name: str, array: Any) -> None:
        """Give a network what torch kept beside its weights. Raises NotInPort."""
        path, _, last = name.rpartition(".")
        owner = network
        for part in path.split(".") if path else ():
            owner = getattr(owner, part, None)
        held = getattr(owner, last, None)
        if not isinstance(held, self._mindspore.Tensor):
            raise NotInPort(f"the port has no place for the buffer {name}")
        value = self._mindspore.Tensor(array).astype(held.dtype)
        buffers = getattr(owner, "_buffers", {})
        if last in buffers:
            buffers[last] = value
        else:
            setattr(owner, last, value)

    def _named(self, said: dict[str, Any], name: str) -> Any:
        found = self._module(said["file"], said["module"])
        for part in name.split("."):
            found = getattr(found, part, None)
        if found is None:
            raise NotInPort("the port has no such name")
        return found

    def _module(self, file: str, module: str) -> Any:
        if file not in self._modules:
            path = os.path.join(self._root, file)  # noqa: PTH118
            if not os.path.exists(path):  # noqa: PTH110
                raise NotInPort("the port has no such file")
            if module != "__main__":
                self._modules[file] = importlib.import_module(module)
            else:
                self._modules[file] = _imported_script(path)
        return self._modules[file]

    def _arguments(self, said: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        by_name = {name: self._value(one) for name, one in said["by_name"].items()}
        return [self._value(one) for one in said["by_place"]], by_name

    def _value(self, said: dict[str, Any]) -> Any:
        ((kind, content),) = said.items()
        if kind == "tensor":
            return self._mindspore.Tensor(self._arrays[content])
        if kind == "network":
            return self._network(content)
        if kind == "array":
            return self._arrays[content].copy()
        if kind == "dict":
            return {key: self._value(one) for key, one in content}
        if kind == "namespace":
            return argparse.Namespace(**{key: self._value(one) for key, one in content})
        if kind in ("list", "tuple"):
            values = [self._value(one) for one in content]
            return values if kind == "list" else tuple(values)
        # Programs compare names by identity, too: `if kind is "conv2d":`.
        return sys.intern(content) if isinstance(content, str) else content

    def _leaves(self, result: Any) -> dict[str, Any]:
        """The numbers in a result as arrays, each with its path."""
        kinds = (self._mindspore.Tensor, numpy.ndarray, int, float, numpy.generic)
        found = dict(leaves(result, lambda value: isinstance(value, kinds), "result"))
        return {
            path: one.asnumpy() if isinstance(one, self._mindspore.Tensor) else numpy.asarray(one)
            for path, one in found.items()
        }


def _imported_script(path: str) -> Any:
    """The script as a module. Raises NotInPort where that would run it."""
    with open(path, encoding="utf-8") as file:  # noqa: PTH123
        if "__main__" not in file.read():
            raise NotInPort("to import the script is to run it")
    spec = importlib.util.spec_from_file_location("replayed_script", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _largest(array: Any) -> float:
    """The largest finite value, without its sign."""
    finite = numpy.abs(array[numpy.isfinite(array)]) if array.dtype.kind in "biufc" else array[:0]
    return float(finite.max()) if finite.size else 0.0


def _difference(expected: Any, found: Any, floor: float) -> str:
    """How two arrays differ by more than `floor`; empty where they do not."""
    if expected.shape != found.shape:
        return f"has shape {found.shape} where torch has {expected.shape}"
    if expected.dtype.kind in "biu" and found.dtype.kind in "biu":
        wrong = int((expected != found).sum())
        return f"differs in {wrong} of {expected.size} values" if wrong else ""
    if (numpy.isnan(expected) != numpy.isnan(found)).any():
        return "has NaN elsewhere"
    finite = numpy.isfinite(expected) & numpy.isfinite(found)
    odd = ~finite & ~numpy.isnan(expected)
    if (expected[odd] != found[odd]).any():
        return "has infinities elsewhere"
    largest = _largest(expected)
    apart = _largest(expected[finite].astype(complex) - found[finite].astype(complex))
    is_close = apart <= max(CLOSE * largest, floor)
    return "" if is_close else f"differs by {apart / (largest or 1.0):.2g} of its largest value"


if __name__ == "__main__":
    serve_once(probe)
