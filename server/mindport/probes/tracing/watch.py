"""Looks on while a program runs: at what it calls of torch, and at what its own functions get and give."""

from __future__ import annotations

import contextlib
import inspect
import os
import sys
import threading
import time
from types import CodeType, FrameType
from typing import Any, Callable

from tracing.places import CodePlaces
from tracing.record import MOST_LOOKS, Record, TracedCall, TracedFunction, qualified_name
from tracing.values import TracedValue

# Optimizers that wait for others (a critic steps five times before the generator does) get this many steps in all.
PATIENCE = 20
# What comes after the last step, as logs and schedules, has so much of the time before it, and at least a second.
_AFTERWARDS = 0.5
_RESUMED = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_LOOKS_AT_OBJECTS = 10  # after calls of each method
_REVERSED = "__r"
_MODULE_CALLS = ("_wrapped_call_impl", "_call_impl", "__call__")
# What torch puts around its own methods: `Optimizer.step` and `zero_grad`, what is under `no_grad`.
_WRAPPING = ("wrapper", "decorate_context", "_use_grad", "inner", "_fn")
_WITHOUT_PLACE = ("__bool__",)


class TraceWatch:
    """The look-out of one program. `finish` ends the process."""

    def __init__(self, torch: Any, places: CodePlaces, steps: int, finish: Callable[[str], None]) -> None:
        self._torch = torch
        self._places = places
        self._steps = steps
        self._finish = finish
        self._started = time.monotonic()
        self._enough_at: float | None = None
        self._is_busy = False
        self._names: dict[Any, str] = {}
        self._classes: dict[type, str] = {}
        # What was looked at often enough, by where it is called from.
        self._known: dict[Any, tuple[TracedCall | TracedFunction, CodeType]] = {}
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._look_away)
        self._from_torch: dict[str, bool] = {}
        # By identity, as the hash of code goes through all of it; it is kept alive, so that none gets another's.
        self._wanted: dict[int, tuple[CodeType, bool]] = {}
        self.taken: dict[int, int] = {}
        self.record = Record(torch, self.class_name)

    @property
    def steps_taken(self) -> int:
        """How many steps all optimizers took."""
        return sum(self.taken.values())

    def mode(self) -> Any:
        """A context in which every call of torch's functions with tensors is seen."""
        watch = self

        class Seen(self._torch.overrides.TorchFunctionMode):  # type: ignore[misc, name-defined]
            def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
                kwargs = kwargs or {}
                note = watch.function_called(func, args, kwargs, sys._getframe(1))
                result = func(*args, **kwargs)
                if note is not None:
                    note(result)
                return result

        return Seen()

    def function_called(
        self, function: Any, args: Any, kwargs: Any, frame: FrameType
    ) -> Callable[[Any], None] | None:
        """Note a call of a function of torch; gives what notes its result, where that is wanted."""
        if self._is_busy:
            return None
        self._is_busy = True
        try:
            caller = self._places.caller(frame, function)
            if caller is None:
                return None
            key = (id(caller.f_code), caller.f_lasti, function, len(args))
            if self._is_known(key):
                return None
            file = self._places.file_of(caller.f_code.co_filename)
            if not file:
                return None
            name = self._names.get(function)
            if name is None:
                name = self._names[function] = self._function_name(function)
            if name.rpartition(".")[2] in _WITHOUT_PLACE:
                return None
            if "." + _REVERSED in name and len(args) == 2 and _is_reflected(name):
                args = (args[1], args[0])
            call = self.record.call(file, self._places.place(caller), name, len(args))
            if call is None or self._is_enough(key, call, caller.f_code):
                return None
            self.record.note_call(call, args, kwargs)
            return lambda result: self._note_result(call.result, result)
        except Exception:  # noqa: BLE001 - classes of the user may do anything when they are looked at
            return None
        finally:
            self._is_busy = False
            self._end_if_enough()

    def _is_known(self, key: Any) -> bool:
        """Whether what is called from there was looked at often enough; it is counted then."""
        known = self._known.get(key)
        if known is None:
            return False
        known[0].times += 1
        return True

    def _is_enough(self, key: Any, seen: TracedCall | TracedFunction, code: CodeType) -> bool:
        if seen.times <= MOST_LOOKS:
            return False
        self._known[key] = (seen, code)
        return True

    def _look_away(self) -> None:
        """In a process that the program forked: what it sees, nobody keeps."""
        self._is_busy = True
        sys.settrace(None)

    def _note_result(self, seen: Any, result: Any) -> None:
        self._is_busy = True
        try:
            self.record.note(seen, result)
        except Exception:  # noqa: BLE001 - as above
            pass
        finally:
            self._is_busy = False

    def called(self, frame: FrameType, event: str, _argument: Any) -> Any:
        """The tracer of Python: told of each function that begins."""
        if event != "call" or self._is_busy:
            return None
        code = frame.f_code
        wanted = self._wanted.get(id(code))
        if wanted is None:
            wanted = self._wanted[id(code)] = (code, self._is_wanted(code))
        if not wanted[1]:
            return None
        is_step = code.co_name == "step"
        file = self._places.file_of(code.co_filename)
        self._is_busy = True
        seen: TracedFunction | None = None
        try:
            if is_step:
                self._note_step(frame)
            if file:
                seen = self._own_function(frame, file)
            else:
                self._torch_function(frame)
        except Exception:  # noqa: BLE001 - as above
            pass
        finally:
            self._is_busy = False
            self._end_if_enough()
        if seen is None:
            return None
        frame.f_trace_lines = False

        def returned(frame: FrameType, event: str, result: Any) -> Any:
            if event == "return" and not self._is_busy:
                self._returned(frame, file, seen, result)
            return returned

        return returned

    def _is_wanted(self, code: CodeType) -> bool:
        return bool(self._places.file_of(code.co_filename)) or code.co_name == "step" or self._is_torch(code)

    def _is_torch(self, code: CodeType) -> bool:
        name = code.co_filename
        found = self._from_torch.get(name)
        if found is None:
            found = self._from_torch[name] = self._places.is_torch(name)
        return found

    # -- functions of the project

    def _own_function(self, frame: FrameType, file: str) -> TracedFunction | None:
        code = frame.f_code
        if self._is_known(id(code)):
            return None
        self.record.note_file(file, code.co_filename)
        if code.co_name.startswith("<") or not code.co_flags & inspect.CO_OPTIMIZED:
            return None  # a module, or the body of a class
        count = code.co_argcount + code.co_kwonlyargcount
        names = code.co_varnames[:count]
        values = frame.f_locals
        first = values.get(names[0]) if names else None
        seen = self.record.function(file, code.co_firstlineno, qualified_name(code, first))
        if seen is None or self._is_enough(id(code), seen, code):
            return None
        for name in names:
            if name in values:
                self.record.note(seen.parameters.setdefault(name, TracedValue()), values[name])
        return None if code.co_flags & _RESUMED else seen

    def _returned(self, frame: FrameType, file: str, seen: TracedFunction, result: Any) -> None:
        self._is_busy = True
        try:
            code = frame.f_code
            self.record.note(seen.result, result)
            if seen.times <= _LOOKS_AT_OBJECTS and code.co_argcount and code.co_varnames[0] == "self":
                self._note_attributes(frame.f_locals.get("self"))
        except Exception:  # noqa: BLE001 - as above
            pass
        finally:
            self._is_busy = False

    def _note_attributes(self, owner: Any) -> None:
        name = self.class_name(type(owner))
        file, colon, qualified = name.rpartition(":")
        if not colon:
            return
        values = dict(getattr(owner, "__dict__", {}))
        for held in ("_parameters", "_buffers", "_modules"):
            values.update(values.pop(held, None) or {})
        own = {one: value for one, value in values.items() if not str(one).startswith("__")}
        self.record.note_attributes(file, qualified, own)

    def note_running(self) -> None:
        """Note what the objects keep whose methods have not come back yet, as the one that holds the loop."""
        self._is_busy = True
        frame = sys._current_frames().get(threading.main_thread().ident or 0)
        while frame is not None:
            if self._places.file_of(frame.f_code.co_filename):
                with contextlib.suppress(Exception):  # as above
                    self._note_attributes(frame.f_locals.get("self"))
            frame = frame.f_back

    # -- functions and classes of torch that are written in Python

    def _torch_function(self, frame: FrameType) -> None:
        code, caller = frame.f_code, frame.f_back
        is_call, is_made = code.co_name in _MODULE_CALLS, code.co_name == "__init__"
        while not is_made and caller is not None and self._is_wrapping(caller.f_code):
            caller = caller.f_back
        file = "" if caller is None else self._places.file_of(caller.f_code.co_filename)
        if caller is None or not file:
            return
        key = (id(caller.f_code), caller.f_lasti, id(code))
        if self._is_known(key) or not (is_call or is_made or not code.co_name.startswith("__")):
            return
        names, positional, keywords = _given(frame)
        owner = positional[0] if names[:1] == ("self",) else None
        if owner is None or isinstance(owner, self._torch.Tensor):
            return  # functions with tensors are seen by the mode
        if is_made:
            name = self.class_name(type(owner))
            if not name.startswith("torch") or (
                caller.f_code.co_name == "__init__" and _is_super(caller, owner)
            ):
                return
        elif is_call:
            name = "torch.nn.Module.__call__"
        else:
            name = f"{self._defining_class(owner, code.co_name)}.{code.co_name}"
        call = self.record.call(file, self._places.place(caller), name, -1)
        if call is not None and not self._is_enough(key, call, caller.f_code):
            self.record.note_call(call, positional[is_made:], keywords)
            if is_made:
                self.record.note(call.result, owner)

    def _is_wrapping(self, code: CodeType) -> bool:
        return code.co_name in _WRAPPING and self._is_torch(code)

    def _note_step(self, frame: FrameType) -> None:
        optimizer = frame.f_locals.get("self")
        if isinstance(optimizer, self._torch.optim.Optimizer):
            if self._enough_at is not None:
                self._finish("steps")
            self.taken[id(optimizer)] = self.taken.get(id(optimizer), 0) + 1
            taken = self.taken.values()
            if min(taken) >= self._steps or sum(taken) >= self._steps * len(taken) + PATIENCE:
                self._enough_at = time.monotonic()

    def _end_if_enough(self) -> None:
        if self._enough_at is not None:
            allowed = max(1.0, _AFTERWARDS * (self._enough_at - self._started))
            if time.monotonic() - self._enough_at > allowed:
                self._finish("steps")

    def _defining_class(self, owner: Any, name: str) -> str:
        kinds = type(owner).__mro__
        return self.class_name(next((one for one in kinds if name in one.__dict__), kinds[0]))

    # -- names

    def class_name(self, kind: type) -> str:
        """The name of a class: `torch.nn.modules.linear.Linear`, `int`, or `model.py:Net` of one of the project's."""
        found = self._classes.get(kind)
        if found is None:
            module = str(getattr(kind, "__module__", ""))
            name = str(getattr(kind, "__qualname__", kind))
            path = getattr(sys.modules.get(module), "__file__", None) or ""
            file = self._places.file_of(path)
            found = f"{file}:{name}" if file else name if module == "builtins" else f"{module}.{name}"
            self._classes[kind] = found
        return found

    def _function_name(self, function: Any) -> str:
        name = None
        with contextlib.suppress(Exception):  # as above
            name = self._torch.overrides.resolve_name(function)
        if name is None:
            module = getattr(function, "__module__", "") or ""
            name = f"{module}.{getattr(function, '__qualname__', function)}".lstrip(".")
        return str(name).replace("torch._C.TensorBase.", "torch.Tensor.")


def _given(frame: FrameType) -> tuple[tuple[str, ...], list[Any], dict[str, Any]]:
    """The names of a function's positional parameters, what they and `*args` hold, and all but the first by name."""
    code, values = frame.f_code, frame.f_locals
    names = code.co_varnames[: code.co_argcount]
    named = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
    positional = [values.get(name) for name in names]
    keywords = {name: values[name] for name in named if name in values}
    at = code.co_argcount + code.co_kwonlyargcount
    if code.co_flags & inspect.CO_VARARGS:
        positional += values.get(code.co_varnames[at], ())
        at += 1
    if code.co_flags & inspect.CO_VARKEYWORDS:
        keywords.update(values.get(code.co_varnames[at], {}))
    return names, positional, keywords


def _is_reflected(name: str) -> bool:
    """Whether an operator has its operands the other way round: `Tensor.__radd__`, and not `__rshift__`."""
    return name.rpartition(".")[2] not in (
        "__rshift__",
        "__repr__",
        "__round__",
        "__reversed__",
        "__reduce__",
    )


def _is_super(caller: FrameType, owner: Any) -> bool:
    """Whether `__init__` was called by the one of a class that derives from this one, for the same object."""
    names = caller.f_code.co_varnames[:1]
    return bool(names) and caller.f_locals.get(names[0]) is owner
