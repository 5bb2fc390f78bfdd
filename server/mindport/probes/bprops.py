"""For which operators the installed MindSpore has a bprop, asked of its own registries.

Request: `operators`, a list of names. The answer has `version`, `has` (name -> true or false), and `source`: which
registries could be asked. Operators that no registry of this MindSpore could tell about are left out."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any, Callable

from probe_channel import serve_once

# 2.8 and later give a record, before only whether there is one.
SYMBOLS = (
    ("_ZN9mindspore8expander5bprop17GetBpropIRBuilderERKSs", ctypes.c_void_p),
    ("_ZN9mindspore8expander5bprop16HasBpropExpanderERKSs", ctypes.c_bool),
)
STRING_HEADER = 24  # length, capacity, reference count: the old layout of std::string


def compiled_registry() -> Callable[[str], bool] | None:
    """Asks the C++ registry by name; None where the library does not export the question."""
    import mindspore

    library = Path(mindspore.__file__).parent / "lib" / "libmindspore_frontend.so"
    try:
        loaded = ctypes.CDLL(str(library))
    except OSError:
        return None
    for symbol, result in SYMBOLS:
        ask = getattr(loaded, symbol, None)
        if ask is None:
            continue
        ask.argtypes = [ctypes.c_void_p]
        ask.restype = result

        def has(name: str, ask: Any = ask) -> bool:
            encoded = name.encode()
            header = (ctypes.c_int64 * 3)(len(encoded), len(encoded), -1)  # -1: may not be shared
            storage = ctypes.create_string_buffer(bytes(header) + encoded + b"\0")
            pointer = ctypes.c_void_p(ctypes.addressof(storage) + STRING_HEADER)
            return bool(ask(ctypes.addressof(pointer)))

        # A registry that knows nothing of Add is not the one that is meant.
        return has if has("Add") and not has("NoOperatorHasThisName") else None
    return None


def python_registry() -> set[str] | None:
    """The names registered in Python; None where this MindSpore keeps them elsewhere."""
    try:
        from mindspore.ops._grad_experimental import grad_base
    except ImportError:
        return None
    found: set[str] = set()
    for registry in (grad_base.bprops, grad_base.bprop_getters):
        found.update(name for name in registry if isinstance(name, str))
    return found


def probe(request: dict[str, Any]) -> dict[str, Any]:
    """The answer."""
    import mindspore

    compiled, python = compiled_registry(), python_registry()
    answer: dict[str, Any] = {"version": mindspore.__version__, "has": {}, "source": []}
    if compiled is None or python is None:
        return answer  # half of the registries would make what the other half has look missing
    answer["source"] = ["C++", "Python"]
    for name in request["operators"]:
        answer["has"][name] = name in python or compiled(name)
    return answer


if __name__ == "__main__":
    serve_once(probe)
