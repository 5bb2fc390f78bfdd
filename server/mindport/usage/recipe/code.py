"""The files of a project as the checklist reads them: trees with parents, and the torch uses by their place."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import accumulate

from mindport.source.changes import split_lines
from mindport.source.module import parse_module
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import children, every_node
from mindport.source.units import UnitKind
from mindport.source.written_names import last_name
from mindport.usage.api_use import ApiUse, FileUsage, Form
from mindport.usage.recipe.entry import SettingLine
from mindport.usage.recipe.imports import ScriptModules, import_edges, offered
from mindport.usage.recipe.reached import is_main_guard, loads_by_name, unreached

# Folders and files that show or test the training code and are not part of it.
_ASIDE = re.compile(
    r"(^|/)(tests?|testing|demos?|docs?|benchmarks?|third_?party|\.github)/"
    r"|(^|/)(setup|conftest|test_\w+|\w+_test|hubconf|(demo|eval|evaluate|predict|infer|inference|export|convert(er)?|bench"
    r"|visuali[sz]e|generate|sample|enjoy|deploy|trt|onnx|fid|ppl|calc)(_\w+)?)\.py$|\.ipynb$"
)
_MAIN = re.compile(r"(^|/)(\w+_)?(train|main|run)(er|ing)?(_\w+)?\.py$")

# What libraries derive from torch.nn.Module, and projects from that.
_MODULES_OF_LIBRARIES = frozenset(("LightningModule", "PreTrainedModel"))

Function = ast.FunctionDef | ast.AsyncFunctionDef


class SourceFile:
    """One Python file. `path` is relative to the project. Where parts do not parse, the tree has the others."""

    def __init__(self, path: str, text: str, usage: FileUsage) -> None:
        self.path = path
        self.usage = usage
        self.tree = _tree(text)
        self.nodes: tuple[ast.AST, ...] = tuple(every_node(self.tree))
        self.parents: dict[ast.AST, ast.AST] = {
            child: node for node in self.nodes for child in children(node)
        }
        self.uses: tuple[ApiUse, ...] = usage.uses
        self._lines = split_lines(text)

    def leave_out(self, statements: Sequence[ast.stmt]) -> None:
        """Take statements that no training runs out of the nodes and uses; the tree keeps them."""
        if not statements:
            return
        out = {inner for statement in statements for inner in every_node(statement)}
        self.nodes = tuple(node for node in self.nodes if node not in out)
        lines = [range(_first_line(one), (one.end_lineno or one.lineno) + 1) for one in statements]
        self.uses = tuple(use for use in self.uses if not any(use.span.line in one for one in lines))

    @property
    def is_aside(self) -> bool:
        """Whether the path says that the file is a test, a demonstration or the like."""
        return _ASIDE.search(self.path) is not None

    def place(self, node: ast.AST) -> SettingLine:
        """Where a node begins."""
        return SettingLine(self.path, getattr(node, "lineno", 1))

    @property
    def is_main(self) -> bool:
        """Whether the name says that a training starts here."""
        return _MAIN.search(self.path) is not None

    @property
    def is_script(self) -> bool:
        """Whether running the file does something."""
        return any(isinstance(node, ast.For | ast.While) or is_main_guard(node) for node in self.tree.body)

    def calls(self) -> Iterator[tuple[ApiUse, ast.Call]]:
        """The torch uses that are called, each with its call."""
        by_end = {
            (node.func.end_lineno, node.func.end_col_offset): node
            for node in self.nodes
            if isinstance(node, ast.Call)
        }
        for use in self.uses:
            if use.call is not None:
                end = use.span.end
                node = by_end.get((end.line, self._byte_column(end.line, end.column)))
                if node is not None:
                    yield use, node

    def classes(self) -> Iterator[ast.ClassDef]:
        """All classes, also nested ones."""
        return (node for node in self.nodes if isinstance(node, ast.ClassDef))

    def functions(self) -> Iterator[Function]:
        """All functions and methods."""
        return (node for node in self.nodes if isinstance(node, Function))

    def function_of(self, node: ast.AST) -> Function | None:
        """The function that a node stands in."""
        return next((one for one in self.outwards(node) if isinstance(one, Function)), None)

    def class_of(self, node: ast.AST) -> ast.ClassDef | None:
        """The class that a node stands in."""
        return next((one for one in self.outwards(node) if isinstance(one, ast.ClassDef)), None)

    def outwards(self, node: ast.AST) -> Iterator[ast.AST]:
        """What a node stands in, nearest first."""
        parent = self.parents.get(node)
        while parent is not None:
            yield parent
            parent = self.parents.get(parent)

    def _byte_column(self, line: int, column: int) -> int:
        text = self._lines[line - 1] if line <= len(self._lines) else ""
        return column if text.isascii() else len(text[:column].encode("utf-8", "replace"))


class Code:
    """All files of a project, and those of the training code, of which what no training runs is left out."""

    def __init__(self, files: Mapping[str, tuple[str, FileUsage]]) -> None:
        everything = [SourceFile(path, text, usage) for path, (text, usage) in sorted(files.items())]
        self.all_files = tuple(everything)
        self.finder = ScriptModules("", {path: text for path, (text, _) in files.items()})
        self.imports = import_edges(everything, self.finder)
        self.files = _trained(tuple(file for file in everything if not file.is_aside), self.finder)
        self.classes = {node.name: (file, node) for file in self.files for node in file.classes()}
        self._by_path = {file.path: file for file in everything}
        self.module_classes = self._module_classes()

    def file(self, path: str) -> SourceFile | None:
        """The file of a path; None where it is none of the project's."""
        return self._by_path.get(path)

    def _module_classes(self) -> dict[ast.ClassDef, SourceFile]:
        """The classes that derive from torch.nn.Module, by the uses or by the name of a base in the project."""
        found: dict[ast.ClassDef, SourceFile] = {}
        names = set(_MODULES_OF_LIBRARIES)
        bases = {
            (file.path, use.span.line)
            for file in self.files
            for use in file.uses
            if use.form is Form.BASE_CLASS and use.api.startswith(("torch.nn.", "torchvision.models"))
        }
        rows = [(file, node) for file in self.files for node in file.classes()]
        grown = True
        while grown:
            grown = False
            for file, node in rows:
                if node in found:
                    continue
                lines = {base.lineno for base in node.bases}
                if any((file.path, line) in bases for line in lines) or names & {
                    last_name(base) for base in node.bases
                }:
                    found[node] = file
                    names.add(node.name)
                    grown = True
        return found


def _trained(files: tuple[SourceFile, ...], finder: ScriptModules) -> tuple[SourceFile, ...]:
    """The files that the training scripts reach, and those without torch, which may hold settings; all of them where
    no script says by its name that it trains. A repository often carries the code of its metrics along."""
    edges = import_edges(files, finder)
    starts = frozenset(file.path for file in files if file.is_main and file.is_script)
    if not starts:
        return files
    imported: set[str] = set()
    paths = frozenset(file.path for file in files)
    waiting = list(starts)
    while waiting:
        found = edges[waiting.pop()]
        for path in (found | _packages_of(found, paths)) - imported - starts:
            imported.add(path)
            waiting.append(path)
    kept = tuple(file for file in files if file.path in imported | starts or not file.uses)
    if loads_by_name(kept):
        kept += tuple(file for file in files if file not in kept and not file.is_script)
    for path, statements in unreached(kept, starts, imported - offered(kept, starts, finder)).items():
        next(file for file in kept if file.path == path).leave_out(statements)
    return kept


def _packages_of(modules: Set[str], paths: Set[str]) -> set[str]:
    """The `__init__.py` of the packages that modules lie in, which Python runs before them."""
    folders = {folder for path in modules for folder in accumulate(path.split("/")[:-1], "{}/{}".format)}
    return {f"{folder}/__init__.py" for folder in folders} & paths


def _first_line(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(one.lineno for one in decorators)])


def written(node: ast.AST, limit: int = 60) -> str:
    """An expression as text in one line, cut at `limit` characters."""
    try:
        text = " ".join(ast.unparse(node).split())
    except (ValueError, RecursionError):
        return "..."
    return text if len(text) <= limit else f"{text[: limit - 3].rstrip()}..."


def _tree(text: str) -> ast.Module:
    try:
        return parse_tree(text)
    except SYNTAX_ERRORS:
        pass
    body: list[ast.stmt] = []
    for unit in parse_module(text).units:
        # The trees are ours alone: nothing else parsed this module.
        for statement in unit.statements if unit.shift else ():
            ast.increment_lineno(statement, unit.shift)
        first = unit.statements[0]
        if unit.kind is UnitKind.MEMBER and body and isinstance(body[-1], ast.ClassDef):
            body[-1].body.extend(unit.statements)
        elif unit.kind is UnitKind.CLASS and isinstance(first, ast.ClassDef):
            first.body = []
            body.append(first)
        else:
            body.extend(unit.statements)
    return ast.Module(body=body, type_ignores=[])
