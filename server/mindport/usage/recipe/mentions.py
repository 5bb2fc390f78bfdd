"""Who calls a function, method or class of a project and who reads a name, by the name alone."""

from __future__ import annotations

import ast

from mindport.source.written_names import dotted_text, last_name
from mindport.usage.recipe.code import Code, Function, SourceFile

# `nn.SiLU()` is no call of a SiLU that the project defines.
_FOREIGN = ("nn.", "torch.", "torchvision.", "F.", "np.", "numpy.", "math.")


class Mentions:
    """Where the files of a project call and read names. Calls in files that say that they train come first."""

    def __init__(self, code: Code) -> None:
        self._callers: dict[str, list[tuple[SourceFile, ast.Call]]] = {}
        self._reads: dict[str, list[tuple[SourceFile, ast.AST]]] = {}
        for file in sorted(code.files, key=lambda file: not file.is_main):
            for node in file.nodes:
                if isinstance(node, ast.Call):
                    name = last_name(node.func)
                    if name and not dotted_text(node.func).startswith(_FOREIGN):
                        self._callers.setdefault(name, []).append((file, node))
                is_read = isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load)
                if is_read and not dotted_text(node).startswith(_FOREIGN):
                    self._reads.setdefault(last_name(node), []).append((file, node))

    def callers(self, name: str) -> list[tuple[SourceFile, ast.Call]]:
        """The calls of functions, methods and classes of a name."""
        return self._callers.get(name, [])

    def is_used(self, node: ast.ClassDef | Function) -> bool:
        """Whether something outside a definition reads its name."""
        return any(
            node not in file.outwards(use) for file, use in self._reads.get(node.name, ()) if use is not node
        )

    def is_kept_unread(self, file: SourceFile, node: ast.AST) -> bool:
        """Whether what an expression makes is only kept under a name or attribute that nothing reads."""
        assigned = file.parents.get(node)
        if not isinstance(assigned, ast.Assign):
            return False
        names = [last_name(target) for target in assigned.targets]
        return all(name and not self._reads.get(name) for name in names)
