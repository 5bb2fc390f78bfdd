"""Compiles and runs the gradient of a gradient of a function or Cell of the user, with the MindSpore that is installed.

Request: `file`, `entry` (an expression in the names of the file: a function, a Cell, or a class of one that is made
without arguments), `inputs` (a shape for each input, float32; null to try some), `device`, `path` (folders to import
from). The answer has `version`, `inputs` (the shapes that were used; null if none were found), `stages` (what went
well: `import`, `build`, `inputs`, `forward`, `first`, `graph`, `pynative`), `error` (stage -> what it raised),
`difference` (PyNative against graph mode, relative to the largest value; null unless both ran) and `missing`: the
operator without a bprop that MindSpore named, or an empty string.

What is differentiated twice is a sum of `y + 0.1 * y * y` over the outputs `y`; the first gradient is for the first
input, the second for the inputs and the weights of sum(g * g)."""

from __future__ import annotations

import functools
import re
import sys
import warnings
from typing import Any, Callable

import numpy
from probe_channel import serve_once
from program.entry import build, load_module
from program.input_shapes import count_of_inputs, found_shapes

MISSING = re.compile(r"Illegal primitive:? (?:Primitive )?(\w+)'s bprop not defined")


def probe(request: dict[str, Any]) -> dict[str, Any]:
    """Run all stages, as far as they go."""
    warnings.simplefilter("ignore")
    sys.path[:0] = request.get("path", [])
    answer: dict[str, Any] = {
        "version": "", "inputs": None, "stages": [], "error": {}, "difference": None, "missing": "",
    }  # fmt: skip
    stage = Stages(answer)
    stage.run("import", lambda: _import(request, answer))
    if not answer["error"]:
        _differentiate(request, answer, stage)
    return answer


class Stages:
    """Runs one stage after the other and keeps what they raise."""

    def __init__(self, answer: dict[str, Any]) -> None:
        self.answer = answer

    def run(self, name: str, work: Callable[[], Any]) -> Any:
        """The result of a stage; None where it raises."""
        try:
            result = work()
        except Exception as error:  # noqa: BLE001 - the user's code may raise anything
            text = " ".join(str(error).split())
            self.answer["error"][name] = f"{type(error).__name__}: {text[:1500]}"
            found = MISSING.search(text)
            if found and not self.answer["missing"]:
                self.answer["missing"] = found[1]
            return None
        self.answer["stages"].append(name)
        return result


def _import(request: dict[str, Any], answer: dict[str, Any]) -> None:
    import mindspore

    answer["version"] = mindspore.__version__
    mindspore.set_device(request["device"])
    mindspore.set_context(mode=mindspore.PYNATIVE_MODE)
    mindspore.set_seed(1)
    request["module"] = load_module(request["file"])


def _differentiate(request: dict[str, Any], answer: dict[str, Any], stage: Stages) -> None:
    import mindspore
    from mindspore import nn

    function = stage.run("build", lambda: _built(build(request["module"], request["entry"]), nn.Cell))
    if function is None:
        return
    weights = list(function.trainable_params()) if isinstance(function, nn.Cell) else []
    shapes = stage.run("inputs", lambda: request["inputs"] or _shapes(function, weights))
    if shapes is None:
        return
    answer["inputs"] = shapes
    inputs = _tensors(shapes)
    score = SCORES[len(inputs)](function)
    # A graph is checked for missing bprops before kernels are chosen: it tells of them also where this device has none.
    runs = stage.run("forward", lambda: score(*inputs).asnumpy()) is not None
    runs = runs and stage.run("first", lambda: mindspore.grad(score, 0)(*inputs).asnumpy()) is not None
    found = {}
    for mode in ("graph", "pynative") if runs else ("graph",):
        inner = mindspore.grad(score, 0)
        penalty = PENALTIES[len(inputs)](inner)
        positions = tuple(range(len(inputs)))
        outer = mindspore.grad(penalty, positions, weights or None)
        if mode == "graph":
            outer = mindspore.jit(outer)
        values = stage.run(mode, functools.partial(_values, outer, inputs))
        if values is not None:
            found[mode] = values
    if len(found) == 2:
        answer["difference"] = max(map(_relative, found["pynative"], found["graph"]), default=0.0)


def _tensors(shapes: list[list[int]]) -> list[Any]:
    import mindspore

    rng = numpy.random.default_rng(1)
    return [mindspore.Tensor(rng.normal(size=shape).astype(numpy.float32)) for shape in shapes]


def _shapes(function: Any, weights: list[Any]) -> list[list[int]]:
    """Shapes of inputs that the function runs with."""
    count = count_of_inputs(function)
    score = SCORES[count](function)
    known = [tuple(weight.shape) for weight in weights]
    found: list[list[int]] = found_shapes(count, known, lambda tried: score(*_tensors(tried)).asnumpy())
    return found


def _built(value: Any, cell: type) -> Any:
    """The function or Cell to be differentiated; a class is made without arguments."""
    made = value() if isinstance(value, type) and issubclass(value, cell) else value
    if not callable(made):
        raise TypeError("the entry is neither a function nor a Cell")
    return made


def _values(function: Any, inputs: list[Any]) -> list[Any]:
    """What a function gives for the inputs, as arrays."""
    return [one.asnumpy() for one in _flat(function(*inputs))]


def _flat(value: Any) -> list[Any]:
    if isinstance(value, (tuple, list)):
        return [leaf for part in value for leaf in _flat(part)]
    return [value]


def _relative(one: Any, other: Any) -> float:
    scale = max(float(abs(other).max(initial=0.0)), 1e-6)
    return float(abs(one - other).max(initial=0.0)) / scale


def total(outputs: Any) -> Any:
    """A number that every output has a part in."""
    if isinstance(outputs, (tuple, list)):
        terms = [total(part) for part in outputs]
        return sum(terms[1:], terms[0])
    return (outputs + 0.1 * outputs * outputs).sum()


# Graph mode wants functions of a fixed number of arguments, with their source in a file.


def score_of_1(function: Any) -> Any:
    """The score of a function of one input."""

    def score(a: Any) -> Any:
        return total(function(a))

    return score


def score_of_2(function: Any) -> Any:
    """The score of a function of two inputs."""

    def score(a: Any, b: Any) -> Any:
        return total(function(a, b))

    return score


def score_of_3(function: Any) -> Any:
    """The score of a function of three inputs."""

    def score(a: Any, b: Any, c: Any) -> Any:
        return total(function(a, b, c))

    return score


def penalty_of_1(inner: Any) -> Any:
    """The squared gradient, by one input."""

    def penalty(a: Any) -> Any:
        g = inner(a)
        return (g * g).sum()

    return penalty


def penalty_of_2(inner: Any) -> Any:
    """The squared gradient, by two inputs."""

    def penalty(a: Any, b: Any) -> Any:
        g = inner(a, b)
        return (g * g).sum()

    return penalty


def penalty_of_3(inner: Any) -> Any:
    """The squared gradient, by three inputs."""

    def penalty(a: Any, b: Any, c: Any) -> Any:
        g = inner(a, b, c)
        return (g * g).sum()

    return penalty


SCORES = {1: score_of_1, 2: score_of_2, 3: score_of_3}
PENALTIES = {1: penalty_of_1, 2: penalty_of_2, 3: penalty_of_3}

if __name__ == "__main__":
    serve_once(probe)
