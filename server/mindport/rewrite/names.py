"""Chooses how a MindSpore name is written in one file: through a binding the file has, or with a new import
that disturbs no other name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from mindport.mapping.helper_definition import helper_with_imports, root_of
from mindport.mapping.helper_source import helper_imports, helper_source
from mindport.rewrite.module_names import names_of_module
from mindport.rewrite.pieces import HelperName, ImportedName
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import every_node
from mindport.usage.api_use import FileUsage, ImportBinding


class NameScope:
    """The names of one file. `resolve` gives the text of an imported name and the import statement it needs,
    empty where it needs none; None where the name cannot be had without hiding another."""

    def __init__(self, text: str, usage: FileUsage) -> None:
        self._text = text
        self._usage = usage
        self._bound: dict[str, str] = {}  # local name -> what it is bound to, for everything but torch
        for binding in usage.imports:
            if binding.name != "*":
                self._bound[binding.local] = bound_name(binding)
        self._bound.update((name, name) for name in usage.python_modules)
        self._known: dict[str, tuple[str, str] | None] = {}
        self._free: dict[str, bool] = {}
        self._names: dict[str, str] | None = None
        self._of_module: frozenset[str] | None = None

    def resolve(self, name: ImportedName) -> tuple[str, str] | None:
        """The text to write and the import statement needed for it."""
        if name.dotted not in self._known:
            self._known[name.dotted] = self._resolved(name)
        return self._known[name.dotted]

    def resolve_helper(self, name: HelperName) -> tuple[str, ...] | None:
        """The import statements that the helper needs above it; None where the file uses its name otherwise, or those
        of modules that its functions cannot import for themselves."""
        if not self._defines_helper(name.local) and not self._is_free(name.local):
            return None
        taken = self._taken_modules(name.local)
        if helper_with_imports(name.local, taken) is None:
            return None
        return tuple(
            statement
            for statement in helper_imports(name.local)
            if statement.removeprefix("import ") not in self._bound and root_of(statement) not in taken
        )

    def definition(self, helper: str) -> str:
        """The definition of a helper that `resolve_helper` has an answer for, as the file can have it."""
        return helper_with_imports(helper, self._taken_modules(helper)) or helper_source(helper)

    def _taken_modules(self, helper: str) -> frozenset[str]:
        """The modules that a helper imports and whose names mean something else in the file."""
        return frozenset(filter(self._is_taken, map(root_of, helper_imports(helper))))

    def _is_taken(self, root: str) -> bool:
        if root in self._bound:
            return self._bound[root] != root or not self._is_only_imported(root)
        return root != "mindspore" and not self._is_free_in_module(root)

    def _defines_helper(self, local: str) -> bool:
        """Whether the helper itself is in the file, and nothing else of its name: `def torch_load(path):`."""
        first = helper_source(local).partition("\n")[0] if not helper_source(local).startswith("@") else ""
        found = re.search(rf"^(?:class|def) {re.escape(local)}\b.*$", self._text, re.MULTILINE)
        return found is not None and (not first or found[0].rstrip() == first.rstrip())

    def imports_helper(self, name: HelperName) -> bool:
        """Whether the file has the helper from a module that has those of several files."""
        return self._bound.get(name.local, "").endswith(f".{name.local}")

    def _resolved(self, name: ImportedName) -> tuple[str, str] | None:
        existing = self._through_a_binding(name)
        if existing is not None:
            return self._loaded(existing, name)
        if self._may_bind(name.local.split(".")[0], name):
            return name.local, name.statement
        root = name.dotted.split(".")[0]
        if root == "mindspore" and (self._bound.get(root) == root or self._is_free(root)):
            return name.dotted, "" if self._bound.get(root) == root else f"import {root}"
        return None

    def _loaded(self, text: str, name: ImportedName) -> tuple[str, str] | None:
        """The name as the file can write it, with the import that loads its module where `import mindspore` does
        not."""
        module = name.statement.rpartition("import ")[2]
        if "." not in module or any(b.module.startswith(module) for b in self._usage.imports):
            return text, ""
        root = module.split(".")[0]
        hides = root in self._usage.module_names and self._bound.get(root) != root
        return None if hides else (text, name.statement)

    def _through_a_binding(self, name: ImportedName) -> str | None:
        """The longest part of the name that the file has a local name for. A plain `import mindspore` does
        not count where a shorter name can be imported."""
        best, best_length = None, 0
        for local, full in self._bound.items():
            if name.dotted != full and not name.dotted.startswith(full + "."):
                continue
            if local == full == "mindspore" and name.local != name.dotted:
                continue
            if len(full) > best_length and self._is_only_imported(local):
                best, best_length = local + name.dotted[len(full) :], len(full)
        return best

    def _may_bind(self, local: str, name: ImportedName) -> bool:
        is_same = self._bound.get(local) == name.statement.removeprefix("import ")
        return is_same or self._is_free(local, _imported_by(name.statement))

    def _is_only_imported(self, local: str) -> bool:
        """Whether no assignment in the file gives the name another meaning, as far as a look at the text
        shows."""
        return re.search(rf"(?<![\w.]){re.escape(local)}\s*=(?!=)", _without_calls(self._text, local)) is None

    def _is_free(self, local: str, meaning: str = "") -> bool:
        """Whether nothing in the file is called so, but for what functions import for themselves and is the same as
        `meaning`."""
        key = f"{local} {meaning}"
        if key not in self._free:
            taken = local in self._usage.module_names or local in self._bound
            self._free[key] = not taken and not self._is_written(local, meaning)
        return self._free[key]

    def _is_free_in_module(self, local: str) -> bool:
        """Whether the module binds nothing called so, and nothing reads it from there: functions may call their own
        variables so."""
        if local in self._usage.module_names or local in self._bound:
            return False
        if self._of_module is None:
            self._of_module = names_of_module(self._text)
        return local not in self._of_module if self._of_module else self._is_free(local)

    def _is_written(self, local: str, meaning: str) -> bool:
        """Whether the code names anything else so; in text that is no Python, whether the word stands anywhere but in a
        comment."""
        if self._names is None:
            self._names = meanings_in(self._text)
        if self._names:
            return self._names.get(local, meaning) != meaning
        for match in re.finditer(rf"(?<![\w.]){re.escape(local)}(?!\w)", self._text):
            line = self._text.rfind("\n", 0, match.start()) + 1
            if "#" not in self._text[line : match.start()]:
                return True
        return False


def names_in(text: str) -> frozenset[str]:
    """Every name that the code binds or reads; words in texts only where they are the whole of it, as in `__all__`.
    Empty for text that is no Python."""
    return frozenset(meanings_in(text))


def meanings_in(text: str) -> dict[str, str]:
    """The same names with what each means: the dotted name that is imported as that wherever it is bound, else an empty
    text. Empty for text that is no Python."""
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return {}
    meanings = {"": {""}}
    for node in every_node(tree):
        for name, meaning in _named(node):
            meanings.setdefault(name, set()).add(meaning)
    # What is only read may be anything; what is bound, too, is what it is bound to.
    return {name: _only(found - {_READ} or {""}) for name, found in meanings.items()}


_READ = "?"


def _only(found: set[str]) -> str:
    return next(iter(found)) if len(found) == 1 else ""


def _named(node: ast.AST) -> Iterator[tuple[str, str]]:
    """The names that a node binds or reads, with what an import binds them to."""
    match node:
        case ast.Name(id=name, ctx=ast.Load()):
            yield name, _READ
        case ast.Name(id=name) | ast.arg(arg=name):
            yield name, ""
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name, ""
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            yield from ((name, "") for name in names)
        case ast.Import(names=aliases):
            for alias in aliases:
                root = alias.name.partition(".")[0]
                yield (alias.asname, alias.name) if alias.asname else (root, root)
        case ast.ImportFrom(names=aliases, module=module, level=level):
            start = "." * level + (module or "")
            yield from ((alias.asname or alias.name, f"{start}.{alias.name}") for alias in aliases)
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name, ""
        case ast.MatchMapping(rest=str(name)):
            yield name, ""
        case ast.Constant(value=str(name)) if name.isidentifier():
            yield name, ""


def _without_calls(text: str, local: str) -> str:
    """Lines that begin with the name: only those assign to it, `f(ops=1)` does not."""
    return "\n".join(line for line in text.splitlines() if line.lstrip().startswith(local))


def _imported_by(statement: str) -> str:
    """The full dotted name of what a statement with one name imports."""
    module, _, name = statement.removeprefix("from ").rpartition("import ")
    return ".".join(filter(None, (module.strip(), name.partition(" as ")[0])))


def bound_name(binding: ImportBinding) -> str:
    """The full dotted name that the local name of an import means."""
    if binding.name:
        return f"{binding.module}.{binding.name}"
    # `import a.b` binds `a`; `import a.b as c` binds the inner module.
    root = binding.module.split(".")[0]
    return root if binding.local == root else binding.module
