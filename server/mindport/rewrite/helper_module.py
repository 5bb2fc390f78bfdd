"""One module for the helpers of several files: definitions leave the converted files, which import them instead."""

from __future__ import annotations

import ast
import functools
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from mindport.mapping.helper_definition import helper_with_imports, imports_inside
from mindport.mapping.helper_source import helper_imports, helper_source, needed_helpers
from mindport.model.span import Span
from mindport.rewrite.imports import behind_imports, used_names
from mindport.rewrite.optional_imports import STAND_IN
from mindport.source.helper_heading import HELPER_HEADING
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import every_node
from mindport.source.written_names import dotted_text

_WIDTH = 100  # of an import in one line


class HelperModule(NamedTuple):
    """The module that a file imports helpers from, `pkg.torch_equivalents`. For one that runs as a script, too, though
    nothing else leads its search path there, `folders_up` counts from its own folder to that of the module."""

    name: str
    folders_up: int | None = None

    def imported(self, names: Iterable[str], newline: str) -> str:
        """The statement that imports `names`."""
        if self.folders_up is None:
            return _import(self.name, names, newline)
        alone = _import(self.name.rpartition(".")[2], names, newline)
        if self.folders_up:
            folder = f"pathlib.Path(__file__).resolve().parents[{self.folders_up}]"
            alone = newline.join(
                ["import pathlib", "import sys", "", f"sys.path.append(str({folder}))", alone]
            )
        tried, otherwise = (
            "".join(f"    {line}" if line.strip() else line for line in part.splitlines(keepends=True))
            for part in (_import(self.name, names, newline), alone)
        )
        return f"try:{newline}{tried}except ImportError:  # run by itself, in its folder{newline}{otherwise}"


def helpers_of(text: str) -> frozenset[str]:
    """The names of helpers that a text defines, unchanged or not; none for a text that does not parse."""
    return frozenset(node.name for node in _definitions(text) if helper_source(node.name))


def unchanged_helpers(text: str) -> frozenset[str]:
    """The helpers that a text defines exactly as mindport writes them."""
    return frozenset(_places(text, LineIndex(text)))


def helper_places(text: str) -> list[Span]:
    """Where the helpers stand that a text defines exactly as mindport writes them."""
    lines = LineIndex(text)
    return [lines.span(start, end) for start, end in _places(text, lines).values()]


def with_helpers_added(text: str, names: Iterable[str]) -> str:
    """The text of a helper module (empty for a new one) with the helpers and all that they need defined; what it
    defines already stays as it is."""
    newline = "\r\n" if "\r\n" in text else "\n"
    defined = {node.name for node in _definitions(text)}
    needed = dict.fromkeys(one for name in sorted(names) for one in needed_helpers(name))
    lacking = [name for name in needed if name not in defined]
    if not lacking:
        return text
    present = text.splitlines()
    statements = sorted({line for name in lacking for line in helper_imports(name)} - set(present))
    imports = "".join(f"{statement}{newline}" for statement in statements)
    if not text.strip():
        text = f"{HELPER_HEADING}\n{imports}"
    elif imports:
        place = behind_imports(text)
        gap = "" if _is_import_above(text, place) else newline
        text = text[:place] + gap + imports + text[place:]
    definitions = (helper_source(name).replace("\n", newline) for name in lacking)
    return text.rstrip() + newline + "".join(f"{newline}{newline}{one}" for one in definitions)


def with_helpers_imported(text: str, names: Collection[str], module: HelperModule, before: str) -> str:
    """`text` without the definitions of the helpers `names`, of which those it uses are imported from `module`. The
    imports that only the definitions needed go, too, unless they were in the text `before` it was converted."""
    lines = LineIndex(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    places = {name: place for name, place in _places(text, lines).items() if name in names}
    if not places:
        return text
    first = min(start for start, _ in places.values())
    head, rest = text[:first], _cut(text, places, first, newline)
    imported = used_names(parse_tree(head + rest)) & places.keys()
    known = _known_import(head, module)
    if imported and known is not None:
        start, end, others = known
        head = head[:start] + module.imported(imported | others, newline) + head[end:]
    elif imported:
        found = max(_behind_search_path(rest), _behind_package(rest, module.name, imported))
        above, below = _moved_down(rest[:found], imported)
        head += above + module.imported(imported, newline) + below
        rest = rest[found:]
    return _without_idle(head + rest, places, before)


def _moved_down(text: str, names: Collection[str]) -> tuple[str, str]:
    """The statements above the import of `names`, and those imports in `try` that want one of them and go below it."""
    lines = LineIndex(text)
    below = ""
    for node in reversed(parse_tree(text).body):
        if isinstance(node, ast.Try) and used_names(ast.Module([node], [])) & set(names):
            end = (node.end_lineno or node.lineno) + 1
            start, behind = (
                lines.line_start(node.lineno),
                lines.line_start(end) if end <= lines.line_count else len(text),
            )
            below = text[start:behind] + below
            text = text[:start] + text[behind:]
    return text, below


def _behind_search_path(rest: str) -> int:
    """Where the last statement ends by which a script says where its modules are, `sys.path.append("..")`; the
    beginning where there is none."""
    tree = parse_tree(rest)
    changes = [
        node for node in tree.body if isinstance(node, ast.Expr | ast.Assign) and _is_of_search_path(node)
    ]
    if not changes:
        return 0
    lines = LineIndex(rest)
    last = changes[-1].end_lineno or changes[-1].lineno
    return lines.line_start(last + 1) if last < lines.line_count else len(rest)


def _behind_package(rest: str, module: str, names: Collection[str]) -> int:
    """Where the first statement ends that imports from the package of `module`, which may want what a script does above
    it; the beginning where there is none, or where one of `names` is wanted sooner."""
    package = module.rpartition(".")[0].partition(".")[0]
    statements = parse_tree(rest).body if package else []
    lines = LineIndex(rest)
    for node in statements:
        if package in _imported_packages(node):
            end = node.end_lineno or node.lineno
            return lines.line_start(end + 1) if end < lines.line_count else len(rest)
        if used_names(ast.Module([node], [])) & set(names):
            break
    return 0


def _imported_packages(node: ast.stmt) -> set[str]:
    match node:
        case ast.Import(names=names):
            return {alias.name.partition(".")[0] for alias in names}
        case ast.ImportFrom(module=str(module), level=0):
            return {module.partition(".")[0]}
    return set()


def _is_of_search_path(node: ast.Expr | ast.Assign) -> bool:
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=changed))):
            return ast.unparse(changed) == "sys.path"
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript() as changed]):
            return ast.unparse(changed).startswith("sys.path")
    return False


def _cut(text: str, places: dict[str, tuple[int, int]], begin: int, newline: str) -> str:
    """`text` from `begin` on without the definitions, each with the blank lines that were written around it."""
    parts, position = [], begin
    for name, (start, end) in sorted(places.items(), key=lambda item: item[1]):
        parts.append(text[position:start])
        if name == STAND_IN and text.startswith(newline * 2, end):
            end += len(newline) * 2
        position = end
    return "".join([*parts, text[position:]])


def _places(text: str, lines: LineIndex) -> dict[str, tuple[int, int]]:
    """Helper -> where its unchanged definition begins and ends, with the blank lines above it."""
    newline = "\r\n" if "\r\n" in text else "\n"
    found: dict[str, tuple[int, int]] = {}
    for node in _definitions(text):
        own = helper_with_imports(node.name, imports_inside(node.name, node)) or ""
        source = own.rstrip().replace("\n", newline)
        if not source:
            continue
        first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
        start = lines.line_start(first)
        end = start + len(source)
        is_whole = not text[end : end + 1].strip() and (node.end_lineno or 0) - first == _length(own)
        if not is_whole or not text.startswith(source, start):
            continue
        while first > 1 and not lines.line_text(first - 1).strip():
            first -= 1
        found[node.name] = (lines.line_start(first), end + len(newline))
    return found


@functools.cache
def _length(definition: str) -> int:
    """How many lines the class or function itself ends below the line it begins in."""
    return (ast.parse(definition).body[0].end_lineno or 1) - 1


def _definitions(text: str) -> Iterator[ast.ClassDef | ast.FunctionDef]:
    try:
        body = parse_tree(text).body
    except SYNTAX_ERRORS:
        return
    yield from (node for node in body if isinstance(node, (ast.ClassDef, ast.FunctionDef)))


def _import(module: str, names: Iterable[str], newline: str) -> str:
    ordered = sorted(names)
    line = f"from {module} import {', '.join(ordered)}"
    if len(line) > _WIDTH:
        line = newline.join([f"from {module} import (", *(f"    {name}," for name in ordered), ")"])
    return line + newline


def _known_import(text: str, module: HelperModule) -> tuple[int, int, frozenset[str]] | None:
    """Where `text` imports names from `module` the way it is written here, and which."""
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = LineIndex(text)
    for node in parse_tree(text).body:
        found = node.body[0] if isinstance(node, ast.Try) else node
        if not isinstance(found, ast.ImportFrom) or "." * found.level + (found.module or "") != module.name:
            continue
        names = frozenset(alias.name for alias in found.names)
        last = node.end_lineno or node.lineno
        start = lines.line_start(node.lineno)
        end = lines.line_start(last + 1) if last < lines.line_count else len(text)
        if text[start:end] == module.imported(names, newline):
            return start, end, names
    return None


def _without_idle(text: str, helpers: Iterable[str], before: str) -> str:
    """`text` without the imports that were written for `helpers` and that nothing refers to now. One of a module within
    a package (`import mindspore.common.api`) may have been what imported the package, too."""
    written = {line for name in helpers for line in helper_imports(name)} - set(before.splitlines())
    tree = parse_tree(text)
    used = used_names(tree)
    chains = {dotted_text(node) for node in every_node(tree) if isinstance(node, ast.Attribute)}
    imported = {line.strip() for line in text.splitlines()}
    kept = []
    for line in text.splitlines(keepends=True):
        module = line.strip().removeprefix("import ")
        root = module.partition(".")[0]
        if line.rstrip("\r\n") not in written or module in used | chains:
            kept.append(line)
        elif root in used and f"import {root}" not in imported:
            imported.add(f"import {root}")
            kept.append(line.replace(module, root))
    return "".join(kept)


def _is_import_above(text: str, place: int) -> bool:
    return text[:place].rstrip().rpartition("\n")[2].startswith(("import ", "from "))
