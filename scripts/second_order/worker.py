"""One worker process: reads a case per line, measures it in MindSpore, writes the outcome as a line.

It needs MindSpore and NumPy, not torch, so that it runs in an environment with any MindSpore version."""

from __future__ import annotations

import ast
import base64
import contextlib
import importlib.util
import io
import itertools
import json
import os
import re
import select
import signal
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mindspore
import numpy

from oracle import mindspore_side

TOLERANCE = 2e-3  # of the largest value: float32 through two differentiations, approximated tanh and the like
SMALLEST = 1e-6
BEND = 0.1

MISSING = re.compile(r"Illegal primitive:? (?:Primitive )?(?P<name>\w+)'s bprop not defined")
NO_KERNEL = "Unsupported op"
_counter = itertools.count()

TEMPLATE = """\
import collections
import copy
import math

import mindspore
import mindspore as ms
import numpy
import numpy as np
from mindspore import Tensor, mint, nn, ops

{constants}
{prelude}
FACTORS = []


def plain({all}):
{body}
    return {result}


def loss({all}):
{bent}
    outputs = plain({all})
    total = 0.0
    for i in range({count}):
        one = outputs[i]
        total = total + (FACTORS[i] * (one + {bend} * one * one)).sum()
    return total


def penalty_first({all}):
    gradient = mindspore.grad(loss, 0)({all})
    return (gradient * gradient).sum()


def penalty_all({all}):
    gradients = mindspore.grad(loss, {positions})({all})
    return {squares}
"""


class CaseError(Exception):
    """The case cannot be set up in this MindSpore."""


class Measurement:
    """One case, ready to be differentiated."""

    def __init__(self, request: dict[str, Any], folder: Path) -> None:
        self._request = request
        self._leaves: list[str] = request["leaves"]
        self._inputs = {name: _input(value) for name, value in request["inputs"].items()}
        self._tensors = [n for n in self._inputs if isinstance(self._inputs[n], mindspore.Tensor)]
        self._tensors.sort(key=lambda name: name not in self._leaves)
        try:
            self.module = self._load(folder)
            self._weights = self._share_state()
        except Exception as error:  # noqa: BLE001  MindSpore may raise anything
            raise CaseError(first_line(error)) from None

    def _load(self, folder: Path) -> Any:
        request = self._request
        names = frozenset(self._inputs)
        tree = ast.parse(request["code"])
        border = 0
        for statement in tree.body:
            used = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
            if used & names and not isinstance(statement, (ast.ClassDef, ast.FunctionDef)):
                break
            border += 1
        outputs = request["outputs"]
        observe = request["observe"]
        parts = [observe] if outputs is None else [f"({observe})[{i}]" for i in outputs]
        constants = [
            f"{n} = {v!r}" for n, v in self._inputs.items() if n not in self._tensors and _is_literal(v)
        ]
        source = TEMPLATE.format(
            constants="\n".join(constants),
            prelude="\n".join(ast.unparse(s) for s in tree.body[:border]),
            all=", ".join(self._tensors),
            body="\n".join(_indented(ast.unparse(s)) for s in tree.body[border:]) or "    pass",
            result="(" + ", ".join(parts) + ",)",
            count=len(parts),
            bent="\n".join(f"    {n} = {n} + {BEND} * {n} * {n}" for n in self._leaves),
            bend=BEND,
            positions=self.positions(),
            squares=" + ".join(f"(gradients[{i}] * gradients[{i}]).sum()" for i in range(len(self._leaves))),
        )
        name = f"case_{next(_counter)}"
        path = folder / f"{name}.py"  # MindSpore compiles functions from their source file
        path.write_text(source, encoding="utf-8")
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        for key, value in self._inputs.items():
            if key not in self._tensors and not _is_literal(value):
                setattr(module, key, value)
        spec.loader.exec_module(module)
        module.FACTORS.extend(mindspore.Tensor(array(text)) for text in request["factors"])
        return module

    def _share_state(self) -> dict[str, Any]:
        """Give the cell `m` torch's weights; its learned parameters by torch's names."""
        cell = getattr(self.module, "m", None)
        state = {name: array(text) for name, text in self._request["state"].items()}
        if not state or not isinstance(cell, mindspore.nn.Cell):
            return {}
        learned = self._request["learned"]
        pairs = mindspore_side.pair_state(cell, state, set(learned))
        mindspore_side.copy_state(pairs, state)
        cell.set_train(self._request["training"])
        return {name: pairs[name] for name in learned if name in pairs}

    def arguments(self) -> list[Any]:
        """The tensors the functions are called with."""
        return [self._inputs[name] for name in self._tensors]

    def first(self) -> Callable[..., Any]:
        """A function that gives the gradients of the loss."""
        return mindspore.grad(self.module.loss, self.positions())

    def second(self, way: str) -> Callable[..., Any]:
        """A function that gives the gradients of the penalty on the `first` or on `all` gradients."""
        penalty = getattr(self.module, f"penalty_{way}")
        if not self._weights:
            return mindspore.grad(penalty, self.positions())
        weights = mindspore.ParameterTuple(list(self._weights.values()))
        return mindspore.grad(penalty, self.positions(), weights)

    def second_results(self, found: Any) -> dict[str, Any]:
        """The result of `second` by torch's names."""
        if not self._weights:
            return self.first_results(found)
        for_inputs, for_weights = found
        named = zip((f"m.{name}" for name in self._weights), as_tuple(for_weights), strict=True)
        return {**self.first_results(for_inputs), **dict(named)}

    def first_results(self, found: Any) -> dict[str, Any]:
        """The result of `first` by name."""
        return dict(zip(self._leaves, as_tuple(found), strict=True))

    def positions(self) -> int | tuple[int, ...]:
        """The places of the inputs that are differentiated, as `mindspore.grad` wants them."""
        return 0 if len(self._leaves) == 1 else tuple(range(len(self._leaves)))


def measure(request: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Measure one case: for each mode `[result, text]`, with `_all` behind the mode for the penalty on the gradients
    of all inputs, and the primitives that PyNative recorded."""
    answer: dict[str, Any] = {}
    try:
        measurement = Measurement(request, folder)
    except CaseError as error:
        return {mode: ["not_run", f"cannot be set up: {error}"] for mode in request["modes"]}
    if request.get("trace"):
        answer["forward"] = trace_forward(measurement)
    for mode in request["modes"]:
        for way, expected in request["second"].items():
            key = mode if way == "first" else f"{mode}_{way}"
            if answer.get(mode, [""])[0] in ("raises", "not_run"):  # all gradients include the first one
                answer[key] = answer[mode]
            else:
                answer[key] = _measure(measurement, mode, way, expected, request["first"])
    if request.get("trace"):
        answer["forward"], answer["backward"] = trace_backward(measurement, answer["forward"])
    return answer


def _measure(
    measurement: Measurement, mode: str, way: str, expected: dict[str, str], first: dict[str, str]
) -> list[str]:
    def in_mode(function: Callable[..., Any]) -> Callable[..., Any]:
        return mindspore.jit(function) if mode == "graph" else function

    def run(function: Callable[..., Any]) -> Any:
        return in_mode(function)(*measurement.arguments())

    if mode == "pynative":  # before the second order: when that raises, nothing can be relied on afterwards
        reason = _first_order(measurement, run, first)
        if reason:
            return ["not_run", reason]
    try:
        second = in_mode(measurement.second(way))
        runs = [second(*measurement.arguments()) for _ in range(2 if mode == "graph" else 1)]
        texts = [compare(measurement.second_results(one), expected) for one in runs]
        if not texts[0] and texts[-1]:  # a kernel keeps something of its first run
            return ["wrong", f"from the second run on, {texts[-1]}"]
        text = texts[0]
        result = "wrong" if text else "right"
    except Exception as error:  # noqa: BLE001  MindSpore may raise anything
        result, text = "raises", first_line(error)
    if result == "right" or mode == "pynative":
        return [result, text]
    missing = MISSING.search(text)
    reason = _first_order(measurement, run, first)
    again = MISSING.search(reason)
    if not reason or (missing and (not again or again["name"] != missing["name"])):
        return [result, text]  # bprops are looked for before kernels
    if NO_KERNEL in text:
        return ["not_run", f"compiles, has no kernel here: {text}"]
    return ["not_run", reason]


def _first_order(
    measurement: Measurement, run: Callable[[Callable[..., Any]], Any], expected: dict[str, str]
) -> str:
    """Why the first order does not work; empty if it does."""
    try:
        difference = compare(measurement.first_results(run(measurement.first())), expected)
    except Exception as error:  # noqa: BLE001  MindSpore may raise anything
        return f"first order raises: {first_line(error)}"
    return f"first order differs: {difference}" if difference else ""


def compare(found: dict[str, Any], expected: dict[str, str]) -> str:
    """How the first result that differs does so; empty if all agree."""
    for name, tensor in found.items():
        wanted = array(expected[name])
        got = tensor.asnumpy().astype(numpy.float64).reshape(wanted.shape)
        scale = float(numpy.abs(wanted).max(initial=0))
        distance = float(numpy.abs(got - wanted).max(initial=0)) if got.size else 0.0
        if distance <= TOLERANCE * scale + SMALLEST:
            continue
        if not got.any():
            return f"the gradient of {name} is all 0, torch's is up to {scale:.3g}"
        return f"the gradient of {name} is off by {distance:.3g}, torch's is up to {scale:.3g}"
    return ""


def trace_forward(measurement: Measurement) -> list[str] | None:
    """The primitives that PyNative records for the code; None where this version does not show them."""
    seen: set[str] = set()

    def total(*values: Any) -> Any:
        outputs = measurement.module.plain(*values)
        seen.update(name for one in outputs for name in recorded(one))
        return sum((one * one).sum() for one in outputs)

    try:
        mindspore.grad(total, measurement.positions())(*measurement.arguments())
    except Exception:  # noqa: BLE001  the code may raise anything
        return None
    return sorted(seen) or None


def trace_backward(
    measurement: Measurement, forward: list[str] | None
) -> tuple[list[str] | None, list[str] | None]:
    """The primitives of the code when it is differentiated twice, which may be others than `forward`, and those that
    differentiating it once, between two squares, adds; none where PyNative cuts the gradient off."""
    if forward is None:
        return None, None
    own: set[str] = set()
    seen: set[str] | None = None

    def total(*values: Any) -> Any:
        outputs = measurement.module.plain(*values)
        own.update(name for one in outputs for name in recorded(one))
        return sum((one * one).sum() for one in outputs)

    def outer(*values: Any) -> Any:
        nonlocal seen
        gradients = as_tuple(mindspore.grad(total, measurement.positions())(*values))
        seen = {name for one in gradients for name in recorded(one)}
        return sum((one * one).sum() for one in gradients)

    with contextlib.suppress(Exception):  # the recording is complete before a bprop is missed
        mindspore.grad(outer, measurement.positions())(*measurement.arguments())
    return sorted(own) or forward, None if seen is None else sorted(seen - own)


def recorded(tensor: Any) -> list[str]:
    """The names of the primitives that lead to a tensor."""
    nodes: dict[int, Any] = {}  # kept, because an address is only unique as long as the object lives
    waiting = [getattr(tensor, "_grad_node", None)]
    while waiting:
        node = waiting.pop()
        if node is not None and id(node) not in nodes:
            nodes[id(node)] = node
            waiting.extend(item[0] for item in node.next_functions)
    names = (node.name() if callable(node.name) else node.name for node in nodes.values())
    return [name for name in names if re.fullmatch(r"[A-Z]\w*", name)]  # others are inputs and parameters


def as_tuple(value: Any) -> tuple[Any, ...]:
    """A single result in a tuple; several as they are."""
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def array(text: str) -> Any:
    """The array that a text holds."""
    return numpy.load(io.BytesIO(base64.b64decode(text)), allow_pickle=False)


def first_line(error: BaseException) -> str:
    """The kind of error and what it says first."""
    lines = [line.strip("- ") for line in str(error).splitlines() if line.strip(" -")]
    heading = len(lines) > 1 and lines[0] == "Kernel select failed:"
    text = re.sub(r"\.?node:.*", "", lines[heading]) if lines else ""
    return f"{type(error).__name__}: {text[:200]}"


def _input(value: dict[str, Any]) -> Any:
    if "array" in value:
        return mindspore.Tensor(array(value["array"]))
    return array(value["numpy"]) if "numpy" in value else ast.literal_eval(value["literal"])


def _is_literal(value: Any) -> bool:
    return not isinstance(value, (mindspore.Tensor, numpy.ndarray))


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


def isolated(request: dict[str, Any], seconds: float) -> dict[str, Any]:
    """Measure a case, each mode in a process of its own: an error may leave MindSpore unable even to index a tensor.

    The processes are copies of this one, which has imported MindSpore and done nothing with it."""
    answer: dict[str, Any] = {}
    for position, mode in enumerate(request["modes"]):
        one = {**request, "modes": [mode], "trace": request.get("trace") and position == 0}
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            _answer_and_end(one, writer)
        os.close(writer)
        text = _read(reader, seconds)
        if text is None:
            os.kill(child, signal.SIGKILL)
        status = os.waitpid(child, 0)[1]
        if text:
            answer.update(json.loads(text))
        else:
            reason = f"no answer within {seconds:g} s" if text is None else f"the process died ({status})"
            answer[mode] = ["raises", reason]
    return answer


def _answer_and_end(request: dict[str, Any], writer: int) -> None:
    try:
        mindspore.set_context(mode=mindspore.PYNATIVE_MODE, pynative_synchronize=True)
        mindspore.set_device("CPU")
        with os.fdopen(writer, "w", encoding="utf-8") as stream:
            stream.write(json.dumps(measure(request, Path.cwd())))
    finally:
        os._exit(0)


def _read(reader: int, seconds: float) -> str | None:
    """All that comes through a pipe; None if it does not end in time."""
    end = time.monotonic() + seconds
    found = b""
    with os.fdopen(reader, "rb", buffering=0) as stream:
        while select.select([stream], [], [], max(end - time.monotonic(), 0))[0]:
            part = stream.read(1 << 16)
            if not part:
                return found.decode()
            found += part
    return None


def main() -> None:
    """Serve cases from standard input until it ends. Files of the cases and of MindSpore go to the working folder."""
    # The frameworks print to the real stdout; the answers go through a private copy of it.
    answers = os.fdopen(os.dup(1), "w", buffering=1, encoding="utf-8")
    os.dup2(2, 1)
    warnings.simplefilter("ignore")
    answers.write(json.dumps({"mindspore": mindspore.__version__}) + "\n")
    for line in sys.stdin:
        request = json.loads(line)
        answers.write(json.dumps(isolated(request, request["seconds"])) + "\n")


if __name__ == "__main__":
    main()
