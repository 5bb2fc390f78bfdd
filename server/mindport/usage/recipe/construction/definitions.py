"""The classes and functions of a project by their names, and the torch names in its files."""

from __future__ import annotations

import ast

from mindport.usage.recipe.code import Code, Function, SourceFile, name_of
from mindport.usage.recipe.construction.budget import DEEPEST

ClassIn = tuple[SourceFile, ast.ClassDef]


class Definitions:
    """What a project defines."""

    def __init__(self, code: Code) -> None:
        # Several files may define a class of the same name; each sees its own.
        self._classes: dict[str, list[ClassIn]] = {}
        for defined, file in code.module_classes.items():
            self._classes.setdefault(defined.name, []).append((file, defined))
        self.functions: dict[str, tuple[SourceFile, Function]] = {}
        for file in code.files:
            for node in file.tree.body:
                if isinstance(node, Function):
                    self.functions.setdefault(node.name, (file, node))
        # Classes that only hold settings, such as dataclasses: their fields.
        self.records: dict[str, tuple[SourceFile, list[ast.AnnAssign]]] = {}
        for file in code.files:
            for one in file.classes():
                fields = [item for item in one.body if isinstance(item, ast.AnnAssign)]
                if fields and one.name not in self._classes:
                    self.records.setdefault(one.name, (file, fields))
        self._apis: dict[str, dict[tuple[int, int], str]] = {}

    def is_module_class(self, name: str) -> bool:
        """Whether a class of this name makes modules."""
        return name in self._classes

    def module_class(self, name: str, seen_from: str) -> ClassIn:
        """The class of modules of a name as the file of a path sees it: its own, else the first. Raises KeyError."""
        entries = self._classes[name]
        return next((entry for entry in entries if entry[0].path == seen_from), entries[0])

    def base(self, file: SourceFile, node: ast.ClassDef) -> ClassIn | None:
        """The class of the project that another one derives from."""
        name = next((name_of(one) for one in node.bases if name_of(one) in self._classes), "")
        entry = self.module_class(name, file.path) if name else None
        return None if entry is None or entry[1] is node else entry

    def torch_base(self, file: SourceFile, node: ast.ClassDef) -> str:
        """The torch name that a class derives from; empty for none."""
        return next((api for one in node.bases if (api := self.api(file, one))), "")

    def method(self, name: str, path: str, method: str) -> tuple[SourceFile, ast.ClassDef, Function] | None:
        """A method of the class of a name as the file of a path sees it, and the class that defines it; `forward`, that
        builds nothing, is not found."""
        if name not in self._classes or method == "forward":
            return None
        entry: ClassIn | None = self.module_class(name, path)
        for _ in range(DEEPEST):
            if entry is None:
                return None
            for one in entry[1].body:
                if isinstance(one, Function) and one.name == method:
                    return *entry, one
            entry = self.base(*entry)
        return None

    def api(self, file: SourceFile, node: ast.expr) -> str:
        """The torch name that an expression is; empty for none."""
        if not isinstance(node, ast.Name | ast.Attribute):
            return ""
        if file.path not in self._apis:
            self._apis[file.path] = {
                (use.span.end_line, use.span.end_column): use.api
                for use in file.uses
                if use.receiver is None and use.api.startswith("torch.")
            }
        end = (node.end_lineno or 0, node.end_col_offset or 0)
        return self._apis[file.path].get(end, "")
