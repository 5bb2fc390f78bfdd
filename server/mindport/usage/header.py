"""What the top of a file binds: imports and plain aliases of torch, collected before any unit is walked."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterable

from mindport.registry.libraries import library_of
from mindport.source.written_names import dotted_name
from mindport.usage import torch_model
from mindport.usage.types import Tag, Type, make
from mindport.usage.variables import ImportRecord

# The functions of einops take the arrays of many frameworks, only its layers are of torch.
_REPORTED_WHERE_IMPORTED = "einops"


class UnitHeader:
    """What one top-level statement contributes to the names of its module."""

    __slots__ = ("aliases", "breaks", "definitions", "imports", "names", "stars", "sure")

    def __init__(self) -> None:
        self.imports: list[ImportRecord] = []
        self.names: set[str] = set()
        self.definitions: set[str] = (
            set()
        )  # those that are surely bound by a class, a function or an assignment
        self.aliases: list[tuple[str, tuple[str, ...]]] = []  # nn = torch.nn
        self.stars: list[ImportRecord] = []
        self.sure: set[int] = set()  # which of the imports stand alone, in no `try` and no `if`
        # Before which of the imports, or behind them, stands what may read a name: anything but imports and calls such
        # as `sys.path.append("..")`.
        self.breaks: set[int] = set()


class ImportTable:
    """The names of a module that are known before its units are walked.

    `types` holds imports of torch and of other packages; names of the project stay out, as other files tell what
    they are, and so do imports whose name is defined again further down (`class Linear(Linear)`): these are in
    `redefined`, those of them that lead into the project in `replaced` (`import model`, `model = model.Net()`), which
    the statement that defines the name again has in `own`. `rebound` has the names that several units bind and none
    imports: what they hold hangs on where they are read. `is_project(module, level)` answers whether an import leads
    into the project."""

    __slots__ = (
        "behind_stars", "dotted", "has_project_star", "is_project", "names", "own", "rebound", "redefined", "replaced",
        "stars", "types",
    )  # fmt: skip

    def __init__(self, headers: Iterable[UnitHeader], is_project: Callable[[str, int], bool]) -> None:
        self.types: dict[str, Type] = {}
        self.dotted: dict[str, str] = {}  # of the names in `types` that are imported, or aliases of what is
        self.redefined: dict[str, tuple[Type, str]] = {}
        self.replaced: dict[str, ImportRecord] = {}
        self.own: dict[str, ImportRecord] = {}
        self.names: set[str] = set()
        self.rebound: set[str] = set()
        self.stars: list[str] = []
        self.behind_stars: list[
            list[ImportRecord]
        ] = []  # for each of them, the project's own that stand behind it
        self.has_project_star = False
        self.is_project = is_project
        headers = list(headers)
        from_project: dict[str, ImportRecord] = {}
        imported: set[str] = set()
        lately: set[str] = set()  # imported since anything else may have read them
        for header in headers:
            self.rebound |= self.names & header.names
            self.names |= header.names
            imported.update(record.local for record in header.imports)
            for number, record in enumerate(header.imports):
                if number in header.breaks:
                    lately.clear()
                self._add(record, takes_over=number in header.sure and record.local in lately)
                lately.add(record.local)
                self.replaced.pop(record.local, None)
                if self.type_of(record) is None:
                    from_project[record.local] = record
            if len(header.imports) in header.breaks:
                lately.clear()
            for record in header.stars:
                self._add_star(record)
            self.replaced |= {name: from_project[name] for name in header.definitions & from_project.keys()}
            for name in header.definitions & self.types.keys():
                if self.types[name].tag in (Tag.CLASS, Tag.FUNCTION):
                    self.redefined[name] = self.types.pop(name), self.dotted.pop(name)
        self.rebound -= imported
        for header in headers:
            for local, dotted in header.aliases:
                found = self.types.get(dotted[0])
                if found is not None and found.tag is Tag.TORCH_MODULE and local not in self.types:
                    reference = torch_model.reference(".".join((found.name, *dotted[1:])))
                    if reference.type.tag in (Tag.TORCH_MODULE, Tag.CLASS, Tag.FUNCTION):
                        self.types[local] = reference.type
                        self.dotted[local] = reference.name

    def where_defined(self, header: UnitHeader) -> ImportTable:
        """The table as the unit sees it: a class or an assignment that defines an imported name again may mean the
        import by it."""
        names = header.definitions & self.redefined.keys()
        replaced = header.definitions & self.replaced.keys()
        if not names and not replaced:
            return self
        found = copy.copy(self)
        found.own = {name: self.replaced[name] for name in replaced}
        found.types = self.types | {name: self.redefined[name][0] for name in names}
        found.dotted = self.dotted | {name: self.redefined[name][1] for name in names}
        return found

    def imports_torch(self) -> bool:
        """Whether anything of torch is imported here."""
        return any(dotted.startswith("torch") for dotted in self.dotted.values()) or bool(self.stars)

    def imports_numpy(self) -> bool:
        """Whether anything of NumPy is imported here."""
        return self._imports("numpy")

    def imports_mindspore(self) -> bool:
        """Whether MindSpore is imported here, so that the code may be for both frameworks."""
        return self._imports("mindspore")

    def _imports(self, package: str) -> bool:
        return any(dotted.partition(".")[0] == package for dotted in self.dotted.values())

    def differences(self, other: ImportTable) -> frozenset[str] | None:
        """The names that mean something else in the other table; None if any name may."""
        if (self.stars, self.has_project_star) != (other.stars, other.has_project_star):
            return None
        if self._covered_stars() != other._covered_stars():
            return None
        if self.imports_mindspore() != other.imports_mindspore():
            return None
        changed = (self.names ^ other.names) | (self.rebound ^ other.rebound)
        for name in self.types.keys() | other.types.keys():
            if self.types.get(name) is not other.types.get(name) or self.dotted.get(name) != other.dotted.get(
                name
            ):
                changed.add(name)
        for name in self.redefined.keys() | other.redefined.keys():
            if self.redefined.get(name) != other.redefined.get(name):
                changed.add(name)
        for name in self.replaced.keys() | other.replaced.keys():
            if (name in self.replaced) != (name in other.replaced):
                changed.add(name)
        return frozenset(changed)

    def _add(self, record: ImportRecord, *, takes_over: bool) -> None:
        """Of several imports under one name one of torch is taken, as `try: … except ImportError: …` has them, but for
        the last one where it surely `takes_over`: `from torch import nn, sqrt`, `from math import sqrt`."""
        found = self.type_of(record)
        if found is None:
            if takes_over:
                self.types.pop(record.local, None)
                self.dotted.pop(record.local, None)
            return
        self.redefined.pop(record.local, None)
        before = self.types.get(record.local)
        if takes_over or before is None or before.tag is Tag.EXTERNAL:
            self.types[record.local] = found
            self.dotted[record.local] = self.dotted_of(record)

    def _add_star(self, record: ImportRecord) -> None:
        if record.level or self.is_project(record.module, 0):
            self.has_project_star = True
            for behind in self.behind_stars:
                behind.append(record)
        elif record.module.partition(".")[0] in torch_model.TORCH_ROOTS:
            self.stars.append(record.module)
            self.behind_stars.append([])

    def _covered_stars(self) -> list[list[tuple[str, int]]]:
        return [[(record.module, record.level) for record in behind] for behind in self.behind_stars]

    @staticmethod
    def dotted_of(record: ImportRecord) -> str:
        """The dotted name that an absolute import binds."""
        if record.name:
            return f"{record.module}.{record.name}"
        return record.module if record.alias.asname else record.local

    def type_of(self, record: ImportRecord) -> Type | None:
        """What the imported name refers to; None where the project says."""
        if record.level or self.is_project(record.module, 0):
            return None
        dotted = self.dotted_of(record)
        if dotted.partition(".")[0] in torch_model.TORCH_ROOTS:
            return (
                torch_model.reference(dotted).type
                if record.name or record.alias.asname
                else make(Tag.TORCH_MODULE, dotted)
            )
        return make(Tag.EXTERNAL, dotted)

    def starred(self, name: str) -> Type | None:
        """What a name refers to through `from torch… import *`."""
        dotted = self.starred_name(name)
        return torch_model.reference(dotted).type if dotted else None

    def starred_name(self, name: str) -> str:
        """The dotted name behind a name that comes from `from torch… import *`; empty for any other."""
        number = self._number_of_star(name)
        return "" if number is None else f"{self.stars[number]}.{name}"

    def covering(self, name: str) -> list[ImportRecord]:
        """The star imports of the project's own files that give a name of `from torch… import *` another meaning, if
        these files have it: those that stand behind."""
        number = self._number_of_star(name)
        return [] if number is None else self.behind_stars[number]

    def _number_of_star(self, name: str) -> int | None:
        """Which star import of torch a name comes from: the last one that has it."""
        if name.startswith("_"):
            return None
        numbers = reversed(range(len(self.stars)))
        return next((number for number in numbers if torch_model.may_have(self.stars[number], name)), None)


def library_of_name(dotted: str) -> str:
    """The root of the library built on torch that the uses of a dotted name belong to; empty for any other name."""
    library = library_of(dotted)
    return "" if library is None or library.root == _REPORTED_WHERE_IMPORTED else library.root


def import_records(
    node: ast.Import | ast.ImportFrom, scope: str, guarded: bool, at_module_level: bool
) -> list[ImportRecord]:
    """One record for each alias of an import statement."""
    records = []
    if isinstance(node, ast.Import):
        for alias in node.names:
            local = alias.asname or alias.name.partition(".")[0]
            records.append(
                ImportRecord(node, alias, local, alias.name, "", 0, scope, guarded, at_module_level)
            )
    else:
        module = node.module or ""
        level = node.level or 0
        for alias in node.names:
            local = alias.asname or alias.name
            records.append(
                ImportRecord(node, alias, local, module, alias.name, level, scope, guarded, at_module_level)
            )
    return records


def scan(statements: Iterable[ast.stmt]) -> UnitHeader:
    """The header of a unit."""
    header = UnitHeader()
    for node in statements:
        first = len(header.imports)
        _scan_block([node], header, False)
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            header.sure.update(range(first, len(header.imports)))
        elif not isinstance(node, ast.Expr):
            header.breaks.add(len(header.imports))
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
            header.definitions.add(node.name)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                _scan_target(target, header.definitions)
    return header


def _scan_block(statements: Iterable[ast.stmt], header: UnitHeader, guarded: bool) -> None:
    for node in statements:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for record in import_records(node, "", guarded, True):
                if record.name == "*":
                    header.stars.append(record)
                else:
                    header.imports.append(record)
                    header.names.add(record.local)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
            header.names.add(node.name)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                _scan_target(target, header.names)
            if len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                dotted = dotted_name(node.value)
                if dotted is not None and len(dotted) > 1:
                    header.aliases.append((node.targets[0].id, dotted))
        elif isinstance(node, (ast.AnnAssign, ast.AugAssign)):
            _scan_target(node.target, header.names)
        elif isinstance(node, (ast.If, ast.While)):
            _scan_block(node.body, header, guarded)
            _scan_block(node.orelse, header, guarded)
        elif isinstance(node, ast.For):
            _scan_target(node.target, header.names)
            _scan_block(node.body, header, guarded)
        elif isinstance(node, ast.With):
            for item in node.items:
                if item.optional_vars is not None:
                    _scan_target(item.optional_vars, header.names)
            _scan_block(node.body, header, guarded)
        elif isinstance(node, ast.Try):
            _scan_block(node.body, header, guarded)
            for handler in node.handlers:
                _scan_block(handler.body, header, guarded)
            _scan_block(node.orelse, header, guarded)
            _scan_block(node.finalbody, header, guarded)


def _scan_target(target: ast.expr, names: set[str]) -> None:
    if isinstance(target, ast.Name):
        names.add(target.id)
    elif isinstance(target, (ast.Tuple, ast.List)):
        for element in target.elts:
            _scan_target(element, names)
    elif isinstance(target, ast.Starred):
        _scan_target(target.value, names)
    elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
        names.add(kept_attribute(target.value.id, target.attr))


def kept_attribute(owner: str, name: str) -> str:
    """The name under which stands what an object that has a name was given as an attribute: no identifier has a dot."""
    return f"{owner}.{name}"
