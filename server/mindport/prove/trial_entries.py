"""Which files of a port are modules to import and which are entries to run. Read from the text; nothing is run.

A file with a main block is both: importing it runs no program. A script without one would run as a whole when it is
imported, so it is only run."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

import msgspec

from mindport.source.trees import every_node

# What installs or configures a project by being run; no part of the program.
_NOT_OF_THE_PROGRAM = ("setup.py", "conftest.py")
_COMMAND = re.compile(r"\s*[\w.-]+\s*=\s*([\w.]+)\s*:\s*(\w+)\s*$")
_RUNNING_METHODS = frozenset(
    [
        "fit",
        "train",
        "run",
        "main",
        "evaluate",
        "backward",
        "step",
        "launch",
        "start",
        "forward",
        "construct",
        "optimize",
        "solve",
    ]
)
_ARGUMENT_READERS = frozenset(("parse_args", "parse_known_args"))
_REGISTERING = frozenset(("register", "signal"))  # they take a function and do not call it now


class PortFiles(msgspec.Struct, frozen=True):
    """The files of a port, relative to its folder: `modules` are imported, `entries` are run. `commands` are functions
    of other files that an installation would give commands to: file -> name of the function."""

    modules: tuple[str, ...]
    entries: tuple[str, ...]
    commands: Mapping[str, str] = {}


def port_files(texts: Mapping[str, str]) -> PortFiles:
    """Sort the Python files of a port by what to do with them. One that cannot be parsed is imported: that tells the
    place of the mistake."""
    trees = {file: _tree(text) for file, text in texts.items()}
    imported = _imported_files(trees)
    modules, entries = [], []
    for file, tree in trees.items():
        if PurePosixPath(file).name in _NOT_OF_THE_PROGRAM:
            continue
        is_guarded = tree is not None and has_main_block(tree)
        is_script = tree is not None and not is_guarded and file not in imported and runs_at_import(tree)
        if is_guarded or is_script:
            entries.append(file)
        if not is_script:
            modules.append(file)
    commands = {file: name for file, name in _commands(trees) if file not in entries}
    return PortFiles(tuple(modules), tuple(entries), commands)


def _commands(trees: Mapping[str, ast.Module | None]) -> Iterator[tuple[str, str]]:
    """What setup.py lists under `console_scripts`: `bert = bert.__main__:train`."""
    tree = trees.get("setup.py")
    files = {dotted_name(file): file for file in trees}
    for node in every_node(tree) if tree is not None else ():
        found = isinstance(node, ast.Constant) and isinstance(node.value, str) and _COMMAND.match(node.value)
        if found and found[1] in files:
            yield files[found[1]], found[2]


def has_main_block(tree: ast.Module) -> bool:
    """Whether the file has `if __name__ == "__main__":`."""
    return any(isinstance(statement, ast.If) and _is_main_test(statement.test) for statement in tree.body)


def runs_at_import(tree: ast.Module) -> bool:
    """Whether importing the file would run a program: it reads the command line, calls a function of its own, or goes
    through a loop that does more than fill containers."""
    own = {
        one.name
        for one in tree.body
        if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    }
    return any(_is_running(statement, own) for statement in _statements(tree.body))


def _is_running(statement: ast.stmt, own: set[str]) -> bool:
    if isinstance(statement, (ast.For, ast.While)):
        return any(
            isinstance(one, ast.Expr) and isinstance(one.value, ast.Call) and _is_work(one.value, own)
            for inner in statement.body
            for one in every_node(inner)
        )
    if any(isinstance(call, ast.Call) and _name(call) in _ARGUMENT_READERS for call in _calls(statement)):
        return True
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    call = statement.value
    functions = {value.id for value in call.args if isinstance(value, ast.Name)} & own
    return (
        (isinstance(call.func, ast.Name) and call.func.id in own)
        or (isinstance(call.func, ast.Attribute) and call.func.attr in _RUNNING_METHODS)
        or (bool(functions) and _name(call) not in _REGISTERING)
    )


def _is_work(call: ast.Call, own: set[str]) -> bool:
    if isinstance(call.func, ast.Name):
        return call.func.id in own or call.func.id == "print"
    return _name(call) in _RUNNING_METHODS


def _calls(statement: ast.stmt) -> Iterator[ast.Call]:
    """The calls of a simple statement; what it only defines is not called."""
    if isinstance(statement, (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign)):
        yield from (node for node in every_node(statement) if isinstance(node, ast.Call))


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """What runs when the file is imported, with what lies in its blocks."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.If):
            yield from _statements([*statement.body, *statement.orelse])
        elif isinstance(statement, ast.Try):
            handlers = [inner for handler in statement.handlers for inner in handler.body]
            yield from _statements([*statement.body, *handlers, *statement.orelse, *statement.finalbody])
        elif isinstance(statement, (ast.With, ast.For, ast.While)):
            yield from _statements(statement.body)


def _is_main_test(test: ast.expr) -> bool:
    if isinstance(test, ast.BoolOp):
        return any(_is_main_test(value) for value in test.values)
    if not isinstance(test, ast.Compare) or len(test.comparators) != 1:
        return False
    sides = (test.left, test.comparators[0])
    names = any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides)
    return names and any(isinstance(side, ast.Constant) and side.value == "__main__" for side in sides)


def _imported_files(trees: Mapping[str, ast.Module | None]) -> set[str]:
    """The files that another file imports, by any folder on the path that its name fits."""
    names: set[str] = set()
    for file, tree in trees.items():
        if tree is not None:
            names.update(_imported_names(tree, dotted_name(file).split(".")[:-1]))
    return {file for file in trees if _suffixes(dotted_name(file)) & names}


def root_of_folder(file: str, texts: Mapping[str, str]) -> str | None:
    """The folder that the name counts from by which something imports the folder of a file, so that this is a package
    to it: the outermost of several, empty for that of the port; None where nothing does."""
    folder = PurePosixPath(file).parent
    quoted = re.compile(rf"""["']{re.escape(folder.name)}\.""")  # importlib.import_module("models." + name)
    roots: set[str] = set()
    for other, text in texts.items():
        if folder.name not in text:
            continue
        # A module of that name beside the file that imports it comes first.
        is_beside = PurePosixPath(other).with_name(f"{folder.name}.py").as_posix() in texts
        found = frozenset[str]() if is_beside else _names_in(text, _package_of(other))
        roots |= {
            "/".join(folder.parts[:start])
            for start in range(len(folder.parts))
            if _is_named(".".join(folder.parts[start:]), found)
        }
        if quoted.search(text):
            roots.add("")
    return min(roots, key=len, default=None)


def _is_named(module: str, found: frozenset[str]) -> bool:
    """Whether a module, or something in it, is among the names that are imported."""
    return module in found or any(one.startswith(f"{module}.") for one in found)


def names_neighbour(file: str, texts: Mapping[str, str]) -> bool:
    """Whether a file imports one that lies beside it as scripts do, by its bare name, that is no package or module of
    the port besides."""
    folder = PurePosixPath(file).parent
    names = {name.partition(".")[0] for name in _names_in(texts.get(file, ""), _package_of(file))}
    return any(
        (folder / f"{name}.py").as_posix() in texts
        and not {f"{name}.py", f"{name}/__init__.py"} & texts.keys()
        for name in names
    )


@functools.lru_cache(maxsize=4096)
def _names_in(text: str, package: str) -> frozenset[str]:
    """What a file of a package imports."""
    tree = _tree(text)
    return frozenset(_imported_names(tree, package.split(".") if package else [])) if tree else frozenset()


def _imported_names(tree: ast.Module, package: list[str]) -> Iterator[str]:
    for node in every_node(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            start = ".".join([*above, *([node.module] if node.module else [])])
            yield start
            yield from (f"{start}.{alias.name}" if start else alias.name for alias in node.names)


def dotted_name(file: str) -> str:
    """The name of a file as a module, seen from the folder of the port."""
    parts = list(PurePosixPath(file).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def _package_of(file: str) -> str:
    """The package that a file's relative imports start in, seen from the folder of the port."""
    return ".".join(PurePosixPath(file).parent.parts)


def _suffixes(dotted: str) -> set[str]:
    parts = dotted.split(".")
    return {".".join(parts[start:]) for start in range(len(parts))}


def _name(call: ast.Call) -> str:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _tree(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
