"""The modules that a project's calls and classes make."""

from __future__ import annotations

import ast
from collections.abc import Callable

from mindport.usage.recipe.code import Code, SourceFile
from mindport.usage.recipe.construction.frame import Frame
from mindport.usage.recipe.construction.interpreter import Interpreter
from mindport.usage.recipe.construction.objects import Module
from mindport.usage.recipe.values import Values


class Builder:
    """Makes modules of one project. Never raises for what the code holds."""

    def __init__(self, code: Code, values: Values) -> None:
        self._interpreter = Interpreter(code, values)

    def made_by(self, file: SourceFile, call: ast.Call) -> Module | None:
        """The module that a call makes, with the arguments as far as they are known; None for what is no module."""
        return self._module(lambda: self._interpreter.evaluate(self._frame_before(file, call), call))

    def made_with_defaults(self, name: str, path: str) -> Module | None:
        """The module of a class that a file of the project defines, made with the defaults of its parameters alone."""
        return self._module(lambda: self._interpreter.constructors.module(name, path, [], {}))

    def _module(self, make: Callable[[], object]) -> Module | None:
        self._interpreter.budget.begin()
        try:
            made = make()
        except Exception:  # noqa: BLE001  an odd construct in user code must cost no more than a count
            return None
        return made if isinstance(made, Module) else None

    def _frame_before(self, file: SourceFile, call: ast.Call) -> Frame:
        """What a call sees: the names that the statements before it in its function, or file, leave."""
        frame = Frame(file, {})
        around = {call, *file.outwards(call)}
        body: list[ast.stmt] = (file.function_of(call) or file.tree).body
        while body:
            last = next((index for index, one in enumerate(body) if one in around), len(body))
            self._interpreter.run(frame, [one for one in body[:last] if not isinstance(one, ast.Return)])
            holder = body[last] if last < len(body) else None
            blocks = [getattr(holder, name, []) for name in ("body", "orelse", "finalbody")]
            body = next((block for block in blocks if any(one in around for one in block)), [])
        return frame
