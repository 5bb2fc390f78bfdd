"""Keeps a few calls of the project's own functions and networks with all their values, for `replay_calls` to make them
again in the port: what went in, what came out, and the weights of the network that was called."""

from __future__ import annotations

import argparse
import hashlib
import inspect
import json
import os
import random
import sys
from types import FrameType
from typing import Any

import numpy
from tracing.places import CodePlaces

MOST_CALLS = 3  # of each function
MOST_BYTES = 300_000_000  # of all arrays together
_PLAIN = (type(None), bool, int, float, str)


class Unkept(Exception):
    """A value that cannot be given to the port."""


class KeptCalls:
    """The calls of one run. `profile` is told of calls by `sys.setprofile`."""

    def __init__(self, torch: Any, places: CodePlaces, root: str) -> None:
        self._torch = torch
        self._places = places
        self._root = os.path.realpath(root)
        self._arrays: dict[str, Any] = {}
        self._bytes = 0
        self._calls: list[dict[str, Any]] = []
        self._built: dict[int, dict[str, Any]] = {}  # by identity of the network, how it was made
        self._alive: list[Any] = []  # none of them may leave its identity to another one
        self._times: dict[tuple[str, str], int] = {}
        self._open: dict[int, dict[str, Any]] = {}
        self._unkept: dict[
            tuple[str, str], dict[str, Any]
        ] = {}  # the first call of a function that was not kept

    def profile(self, frame: FrameType, event: str, result: Any) -> None:
        """Note the beginning or the end of a call."""
        if event == "return":
            call = self._open.pop(id(frame), None)
            if call is not None:
                self._end(call, result)
        elif event == "call":
            code = frame.f_code
            file = self._places.file_of(code.co_filename)
            name = getattr(code, "co_qualname", code.co_name)
            if file and "<" not in name and code.co_flags & inspect.CO_OPTIMIZED:  # no body of a class
                self._begin(frame, file, name)

    def write(self, path: str) -> None:
        """Write what was kept: arrays and, in JSON, the calls in the order of their ends."""
        about = json.dumps(
            {
                "calls": [call for call in self._calls if "result" in call],
                "unkept": list(self._unkept.values()),
                "paths": [
                    os.path.relpath(os.path.realpath(one), self._root)
                    for one in sys.path
                    if os.path.realpath(one).startswith(self._root)
                ],
            }
        )
        numpy.savez(path, about=numpy.frombuffer(about.encode(), dtype=numpy.uint8), **self._arrays)

    def _begin(self, frame: FrameType, file: str, name: str) -> None:
        code = frame.f_code
        owner = frame.f_locals.get(code.co_varnames[0]) if code.co_argcount else None
        is_network = "." in name and isinstance(owner, self._torch.nn.Module)
        method = name.rpartition(".")[2]
        if is_network and method == "__init__":
            made_by = getattr(type(owner), "__init__", None)
            if id(owner) not in self._built and getattr(made_by, "__code__", None) is code:
                self._alive.append(owner)
                self._built[id(owner)] = self._made(frame, type(owner).__qualname__, file)
            return
        if "." in name and not (is_network and method == "forward"):
            return
        times = self._times[file, name] = self._times.get((file, name), 0) + 1
        if times > MOST_CALLS or self._bytes > MOST_BYTES:
            return
        try:
            call = {
                "file": file,
                "module": frame.f_globals.get("__name__", ""),
                "line": code.co_firstlineno,
                "name": name,
                "turn": times,
                "folder": os.path.relpath(os.path.realpath("."), self._root),
                "arguments": self._arguments(frame, skipped=int(is_network)),
            }
            if is_network:
                call["network"] = self._network(owner)
        except Unkept as error:
            self._note_unkept(file, name, code.co_firstlineno, str(error))
            return
        call["before"] = self._randomness()
        self._open[id(frame)] = call

    def _end(self, call: dict[str, Any], result: Any) -> None:
        try:
            given = self._kept(result)
        except Unkept as error:
            self._note_unkept(call["file"], call["name"], call["line"], str(error))
            return
        call["is_random"] = call.pop("before") != self._randomness()
        if result is not None:
            call["result"] = given
        self._calls.append(call)

    def _note_unkept(self, file: str, name: str, line: int, kind: str) -> None:
        self._unkept.setdefault((file, name), {"file": file, "name": name, "line": line, "kind": kind})

    def _made(self, frame: FrameType, name: str, file: str) -> dict[str, Any]:
        try:
            arguments = self._arguments(frame, skipped=1)
        except Unkept as error:
            return {
                "problem": f"{type(frame.f_locals[frame.f_code.co_varnames[0]]).__name__} made of {error}"
            }
        module = frame.f_globals.get("__name__", "")
        return {"class": name, "file": file, "module": module, "arguments": arguments}

    def _network(self, network: Any) -> dict[str, Any]:
        """How the network is made, and its weights now. Raises Unkept."""
        made = self._built.get(id(network))
        if made is None or "problem" in made:
            raise Unkept(made["problem"] if made else type(network).__name__)
        weights = {name: self._array(value) for name, value in network.state_dict().items()}
        learned = [name for name, _ in network.named_parameters()]
        return {**made, "weights": weights, "learned": learned, "is_training": network.training}

    def _arguments(self, frame: FrameType, skipped: int) -> dict[str, Any]:
        code, values = frame.f_code, frame.f_locals
        names = code.co_varnames
        known = code.co_argcount + code.co_kwonlyargcount
        several = [values[names[known]]] if code.co_flags & inspect.CO_VARARGS else [()]
        by_name = {name: values[name] for name in names[code.co_argcount : known]}
        if code.co_flags & inspect.CO_VARKEYWORDS:
            by_name |= values[names[known + bool(code.co_flags & inspect.CO_VARARGS)]]
        return {
            "by_place": [
                self._kept(value)
                for value in (*(values[name] for name in names[skipped : code.co_argcount]), *several[0])
            ],
            "by_name": {name: self._kept(value) for name, value in by_name.items()},
        }

    def _kept(self, value: Any) -> Any:
        """A value as JSON, arrays by their names. Raises Unkept."""
        torch = self._torch
        if isinstance(value, torch.Tensor):
            if value.dtype == torch.bfloat16:
                raise Unkept(str(value.dtype))
            return {
                "tensor": self._array(value.to_dense() if value.is_sparse else value)
            }  # as the port has it
        if isinstance(value, numpy.ndarray) and value.dtype.kind in "biufc":
            return {"array": self._array(value)}
        if isinstance(value, numpy.generic):
            return {"plain": value.item()}
        if type(value) in _PLAIN:
            return {"plain": value}
        if isinstance(value, torch.device):
            return {"plain": str(value)}
        if isinstance(value, torch.nn.Module):
            return {"network": self._network(value)}
        if isinstance(value, argparse.Namespace):
            return {"namespace": [[key, self._kept(one)] for key, one in vars(value).items()]}
        if isinstance(value, dict) and all(type(key) in _PLAIN for key in value):
            return {"dict": [[key, self._kept(one)] for key, one in value.items()]}
        if type(value) in (list, tuple, torch.Size):
            return {"list" if type(value) is list else "tuple": [self._kept(one) for one in value]}
        raise Unkept(type(value).__name__)

    def _array(self, value: Any) -> str:
        array = value.detach().cpu().numpy() if isinstance(value, self._torch.Tensor) else value
        self._bytes += array.nbytes
        if self._bytes > 2 * MOST_BYTES:
            raise Unkept("too much")
        name = f"array{len(self._arrays)}"
        self._arrays[name] = array.copy()
        return name

    def _randomness(self) -> str:
        """What tells whether random numbers were drawn between two moments."""
        drawn = self._torch.get_rng_state().numpy().tobytes()
        own = repr((random.getstate(), numpy.random.get_state()))
        return hashlib.sha1(drawn + own.encode(), usedforsecurity=False).hexdigest()
