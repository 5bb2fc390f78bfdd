"""What the runs of both frameworks share: building arguments, importing the function, working through a list."""

from __future__ import annotations

import importlib
import inspect
import pickle
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any


def function_of(file: str, name: str) -> tuple[Any, str]:
    """The function or, of a method, its class, and the name of the method or nothing. Whatever the import raises comes
    through."""
    found: Any = importlib.import_module(file.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
    owner, _, method = name.rpartition(".")
    if not owner:
        return getattr(found, method), ""
    found = getattr(found, owner)
    is_bound = isinstance(inspect.getattr_static(found, method), (staticmethod, classmethod))
    return (getattr(found, method), "") if is_bound else (found, method)


def built(made: Any, tensor: Callable[[Any], Any], dtype: Callable[[str], Any]) -> Any:
    """The value that plain data stand for."""
    kind, value = made
    if kind == "tensor":
        return tensor(value)
    if kind == "dtype":
        return dtype(value)
    if kind in ("list", "tuple"):
        items = [built(one, tensor, dtype) for one in value]
        return items if kind == "list" else tuple(items)
    return value


def tensors_of(value: Any, tensor_class: type, depth: int = 4) -> list[Any]:
    """The tensors inside a result, in order."""
    if isinstance(value, tensor_class):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (tuple, list)) and depth:
        return [tensor for item in value for tensor in tensors_of(item, tensor_class, depth - 1)]
    return []


def called(target: Any, method: str, construction: dict[str, Any], arguments: dict[str, Any]) -> Any:
    """Call the function, or the method of a new instance."""
    function = getattr(target(**construction), method) if method else target
    positional = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is inspect.Parameter.POSITIONAL_ONLY and parameter.name in arguments:
            positional.append(arguments.pop(parameter.name))
    return function(*positional, **arguments)


def short(error: BaseException) -> str:
    """One line about what was raised."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip(" -")]
    return f"{type(error).__name__}: {' '.join(lines)[:300]}"


def place_of(error: BaseException, root: str) -> tuple[str, int]:
    """The deepest line below `root` that was running."""
    frames = [one for one in traceback.extract_tb(error.__traceback__) if one.filename.startswith(root)]
    return (str(Path(frames[-1].filename).relative_to(root)), frames[-1].lineno or 0) if frames else ("", 0)


def work_through(run: Callable[[Any], Any]) -> None:
    """Run the tasks in the file of the first argument from the number of the third on, one after another, and append
    each outcome to the file of the second. The number of the one that is running stands in `.now` beside it."""
    tasks, results, start = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    todo = pickle.loads(tasks.read_bytes())  # written by the bench itself
    with results.open("ab") as stream:
        for number in range(start, len(todo)):
            results.with_suffix(".now").write_text(str(number))
            pickle.dump((number, run(todo[number])), stream)
            stream.flush()
