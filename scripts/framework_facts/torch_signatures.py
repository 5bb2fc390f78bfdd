"""The signatures of torch's functions, methods and classes, each from the source that says most: the code,
the stub files, or the docstring."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from framework_facts import signature_text
from framework_facts.documented_results import DOCUMENTED_RESULTS, OVERRULES
from framework_facts.documented_signatures import DOCUMENTED_SIGNATURES
from framework_facts.stub_files import Stub, read_stub


def with_documented_result(name: str, line: str) -> str:
    """The signature line with the result that only the page tells."""
    result = DOCUMENTED_RESULTS.get(name)
    if result is None or (" -> " in line and name not in OVERRULES):
        return line
    return f"{line.rpartition(' -> ')[0] or line} -> {result}"


class TorchSignatures:
    """Reads the stub files once and answers for any object of torch."""

    def __init__(self, torch: Any) -> None:
        folder = Path(torch.__file__).parent
        self.torch = torch
        self.functions = read_stub(folder / "_C/_VariableFunctions.pyi").signatures
        self.core = read_stub(folder / "_C/__init__.pyi")
        native = read_stub(folder / "_C/_nn.pyi").signatures
        self.functional = {**native, **read_stub(folder / "nn/functional.pyi").signatures}

    def annotation_in(self, owner: type, name: str) -> str:
        """The annotation that the class body gives a name."""
        annotation = inspect.get_annotations(owner).get(name)
        if annotation is None:
            return ""
        text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
        return signature_text.tidy_annotation(text)

    def stub_of(self, owner: type) -> Stub:
        """What the stub files say of a class written in C."""
        return (
            self.core.classes.get(owner.__name__, Stub())
            if owner.__module__ in ("torch._C", "torch")
            else Stub()
        )

    def method_signatures(self, owner: type, name: str, value: Any, stub: Stub, *, drop: bool) -> list[str]:
        """The overloads of a method, without `self`."""
        line = self.inspected(value, drop=drop)
        known = stub.signatures.get(name) or (
            self.core.classes["TensorBase"].signatures.get(name) if owner is self.torch.Tensor else None
        )
        if line is None or (known and line.startswith("(*args")):
            return known or signature_text.of_docstring(name, getattr(value, "__doc__", None))
        if " -> " not in line:
            line += self.return_elsewhere(name, value, known)
        return [line]

    def return_elsewhere(self, name: str, value: Any, known: Sequence[str] | None) -> str:
        """` -> type` from the docstring or from overloads that agree; empty if nobody says it."""
        lines = [
            *signature_text.of_docstring(name, getattr(value, "__doc__", None)),
            *(known or self.functions.get(name, ())),
        ]
        returns = {text.rpartition(" -> ")[2] for text in lines if " -> " in text}
        return f" -> {returns.pop()}" if len(returns) == 1 else ""

    def inspected(self, value: Any, *, drop: bool) -> str | None:
        """The signature `inspect` sees, if it says anything."""
        try:
            signature = inspect.signature(value)
        except (ValueError, TypeError):
            return None
        try:
            return signature_text.of_inspected(signature, drop_first=drop)
        except (ValueError, TypeError, RecursionError):
            return None

    def signatures(self, home: str, value: Any) -> list[str]:
        """The overloads of a function, or of a class's constructor."""
        if home in DOCUMENTED_SIGNATURES:
            return list(DOCUMENTED_SIGNATURES[home])
        name = home.rpartition(".")[2]
        own = getattr(value, "__name__", name)
        if inspect.isclass(value):
            return self.constructor(value)
        stubs = self.functional if home.startswith("torch.nn.functional.") else self.functions
        if type(value) is not types.FunctionType:
            if getattr(value, "__module__", None) == "torch._C._nn":
                stubs = self.functional
            is_root = home.count(".") == 1 or home.startswith("torch.nn.functional.")
            lines = (stubs.get(name) or self.functions.get(name)) if is_root else None
            documented = [
                line
                for each in dict.fromkeys((name, own, own.partition("_")[2]))
                if each
                for line in signature_text.of_docstring(each, getattr(value, "__doc__", None))
            ]
            lines = (
                lines
                or list(dict.fromkeys(documented))
                or self.core.signatures.get(own)
                or self.fallback(value)
            )
            return [self.named_result(own, signature_text.with_defaults(line, documented)) for line in lines]
        line = self.inspected(value, drop=False)
        if (
            line is None
            or line.startswith("(*args, **kwargs)")
            or ("functional" in home and stubs.get(name) and len(stubs[name]) > 1)
        ):
            lines = stubs.get(name) or signature_text.of_docstring(name, value.__doc__)
            if lines:
                return lines
        if line is None:
            return []
        return [line if " -> " in line else line + self.return_elsewhere(name, value, stubs.get(name))]

    def named_result(self, own: str, line: str) -> str:
        """Results that are documented as plain tuples although they have named fields."""
        head, _, returns = line.rpartition(" -> ")
        if returns.startswith(("(", "tuple")) and hasattr(self.torch.return_types, own):
            return f"{head} -> return_types.{own}"
        return line

    def fallback(self, value: Any) -> list[str]:
        """What `inspect` says of a builtin; often nothing."""
        line = self.inspected(value, drop=False)
        return [line] if line else []

    def constructor(self, cls: type) -> list[str]:
        """How the class is called; the result is an instance, so nothing is said of it."""
        stub = self.stub_of(cls)
        lines = stub.signatures.get("__init__") or stub.signatures.get("__new__")
        if lines and type(vars(cls).get("__init__")) is not types.FunctionType:
            return [line.rpartition(" -> ")[0] or line for line in lines]
        line = self.inspected(cls, drop=False)
        if line is None:
            return signature_text.of_docstring(cls.__name__, cls.__doc__)
        if line.startswith("(*args, **kwargs)") and isinstance(vars(cls).get("__init__"), types.FunctionType):
            # The recurrent layers say in overloads what they really take.
            overloads = [self.inspected(one, drop=True) for one in typing.get_overloads(cls.__init__)]
            lines = [one.rpartition(" -> ")[0] or one for one in overloads if one is not None]
            lines = [one for one in lines if one != "(*args, **kwargs)"]
            if lines:
                return lines
        return [line.rpartition(" -> ")[0] if " -> " in line else line]
