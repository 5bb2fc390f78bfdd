"""Takes out import statements of torch that nothing refers to any more, wherever they stand: one inside a function or a
`try` stops a program that runs without torch, too."""

from __future__ import annotations

import ast
import copy
import itertools
from collections.abc import Collection, Container, Iterable, Iterator, Sequence

import msgspec

from mindport.model.span import Edit, Span
from mindport.rewrite.apply import apply_edits
from mindport.rewrite.defined_helpers import own_code
from mindport.rewrite.imports import used_names
from mindport.rewrite.module_names import names_bound_by_module, names_read_from_module
from mindport.rewrite.removed_statements import joined_extents, removed_from_line
from mindport.rewrite.spans import end_of, span_of, start_of
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import children, every_node
from mindport.usage import torch_model
from mindport.usage.api_use import ImportBinding

_Import = ast.Import | ast.ImportFrom


class _Block(msgspec.Struct, frozen=True):
    """Statements that stand below each other in a node."""

    parent: ast.AST
    statements: list[ast.stmt]
    is_local: bool  # whether they are run in a function or a class

    @property
    def is_guarded(self) -> bool:
        """Whether it is what a `try` tries."""
        return isinstance(self.parent, ast.Try) and self.statements is self.parent.body


def unused_torch_imports(
    lines: LineIndex,
    tree: ast.Module,
    new: str,
    kept: Collection[str] = (),
    *,
    also_unused_before: bool = False,
    inserted: Container[int] = (),
    of_others: frozenset[str] = frozenset(),
) -> list[Edit]:
    """The edits that take out torch imports which the file (`tree`) used before and the `new` text does not,
    except of the names in `kept`. A file that is to run without torch loses those that nothing used before, too
    (`also_unused_before`), and `import *` of what it has no name of (those `of_others` come from stars behind), but for
    one in a `try` that only asks whether torch is there. Blank lines that parted them from both sides go along, unless
    something else is `inserted` at that line."""
    blocks = [block for block in _blocks(tree) if any(map(_imports_torch, block.statements))]
    if not blocks:
        return []
    new_tree = own_code(parse_tree(new))  # no helper needs torch, whatever its texts name
    used_before, used_anywhere = used_names(tree), used_names(new_tree)
    used_of_module = names_read_from_module(new, new_tree)
    bound = names_bound_by_module(new) if _has_star(blocks) else frozenset[str]()
    from_stars = (used_of_module - bound).union(kept) - of_others
    edits: list[Edit] = []
    left_out: set[int] = set()  # statements that go with all that is in them
    for block in blocks:
        if id(block.parent) in left_out:
            continue
        used = used_anywhere if block.is_local else used_of_module
        gone: list[ast.stmt] = []
        for statement in block.statements:
            if not isinstance(statement, _Import):
                continue
            bindings = list(bindings_of(statement, lines, used_before))
            going = [
                one
                for one in bindings
                if _is_torch(one.module)
                and (one.name != "*" or not (block.is_local or _has_any(one.module, from_stars)))
                and (one.used or (also_unused_before and not _only_asks(block)))
                and (one.local not in used or not _is_read_as_imported(one.local, new_tree))
                and (block.is_local or one.local not in kept)
            ]
            if going and len(going) == len(bindings):
                gone.append(statement)
            elif going:
                edits += _without_names(bindings, going)
        if gone and len(gone) == len(block.statements) and _is_idle(block, used, tree):
            assert isinstance(block.parent, ast.Try)
            left_out.update(map(id, every_node(block.parent)))
            edits.append(_without_lines(span_of(block.parent, lines), lines))
        else:
            edits += _without(gone, block, lines)
    return [*_with_gaps(edits, inserted, lines)]


def without_unused_torch(
    text: str, path: str, kept: Collection[str], of_others: frozenset[str] = frozenset()
) -> str:
    """`text` without the torch imports that it does not use, except of the names in `kept`; those `of_others` come from
    other files. A package's `__init__` stays as it is: what it imports is its public face."""
    if is_package_face(path):
        return text
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return text
    edits = unused_torch_imports(
        LineIndex(text), tree, text, kept, also_unused_before=True, of_others=of_others
    )
    return apply_edits(text, edits) if edits else text


def is_package_face(path: str) -> bool:
    """Whether a file is the `__init__` of a package."""
    return path.replace("\\", "/").endswith("__init__.py")


def _has_star(blocks: Iterable[_Block]) -> bool:
    statements = (one for block in blocks for one in block.statements)
    return any(isinstance(one, ast.ImportFrom) and one.names[0].name == "*" for one in statements)


def _has_any(module: str, names: Iterable[str]) -> bool:
    """Whether `from module import *` gives one of these names."""
    return any(torch_model.may_have(module, name) for name in names)


def _is_torch(module: str) -> bool:
    return module.split(".")[0] in ("torch", "torchvision", "torchaudio")


def _imports_torch(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.ImportFrom):
        return not statement.level and _is_torch(statement.module or "")
    return isinstance(statement, ast.Import) and any(_is_torch(alias.name) for alias in statement.names)


def _blocks(node: ast.AST, *, is_local: bool = False) -> Iterator[_Block]:
    """All blocks that have imports, outer ones first."""
    is_local = is_local or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    for field in ("body", "orelse", "finalbody"):
        statements = getattr(node, field, None)
        if isinstance(statements, list) and any(isinstance(one, _Import) for one in statements):
            yield _Block(node, statements, is_local)
    for inner in children(node):
        if not isinstance(inner, ast.expr):
            yield from _blocks(inner, is_local=is_local)


def bindings_of(
    statement: ast.Import | ast.ImportFrom, lines: LineIndex, used: Container[str] = ()
) -> Iterator[ImportBinding]:
    """The names that an import statement binds; `used` are the names that the file refers to."""
    whole = span_of(statement, lines)
    for alias in statement.names:
        last = alias.end_lineno or alias.lineno
        place = Span(
            alias.lineno,
            lines.column_of_byte(alias.lineno, alias.col_offset),
            last,
            lines.column_of_byte(last, alias.end_col_offset or 0),
        )
        if isinstance(statement, ast.ImportFrom):
            module, name = "." * statement.level + (statement.module or ""), alias.name
        else:
            module, name = alias.name, ""
        local = alias.asname or (name or module.partition(".")[0])
        yield ImportBinding(local, module, name, whole, place, local in used)


def _is_read_as_imported(name: str, tree: ast.Module) -> bool:
    """Whether anything may mean the import by an imported name: where the module defines or imports the name again
    below it, as in `class Linear(Linear)`, only the definition and what is above it can."""
    for number, node in enumerate(tree.body):
        above = tree.body[:number]
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == name:
            header = copy.copy(node)
            header.body = []
            return name in used_names(ast.Module([*above, header], []))
        if isinstance(node, ast.Assign) and name in map(ast.unparse, node.targets):
            return name in used_names(ast.Module([*above, ast.Expr(node.value)], []))
        if _imports_other(node, name) and any(_imports_torch(one) for one in above if _binds(one, name)):
            return name in used_names(ast.Module(above, []))
    return True


def _imports_other(node: ast.stmt, name: str) -> bool:
    """Whether a statement binds the name to something that is not torch's."""
    return _binds(node, name) and not _imports_torch(node)


def _binds(node: ast.stmt, name: str) -> bool:
    """Whether an import binds the name."""
    return isinstance(node, _Import) and any(
        name == (alias.asname or alias.name.partition(".")[0]) for alias in node.names
    )


def _only_asks(block: _Block) -> bool:
    """Whether it does something else, which depends on whether the import succeeds."""
    return block.is_guarded and not all(isinstance(one, _Import) for one in block.statements)


def _is_idle(block: _Block, used: Container[str], tree: ast.Module) -> bool:
    """Whether a `try` of the module itself is of no use without its block: it has nothing but handlers, and they bind
    no name that is read."""
    parent = block.parent
    if not block.is_guarded or not isinstance(parent, ast.Try) or parent.orelse or parent.finalbody:
        return False
    bound = (name for handler in parent.handlers for name in _bound_in(handler))
    return parent in tree.body and not any(name in used for name in bound)


def _bound_in(handler: ast.ExceptHandler) -> Iterator[str]:
    for node in every_node(handler):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.alias):
            yield node.asname or node.name.partition(".")[0]
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name


def _without(gone: Sequence[ast.stmt], block: _Block, lines: LineIndex) -> Iterator[Edit]:
    """The edits that take statements out of a block, which only a module can do without."""
    needs_one = len(gone) == len(block.statements) and not isinstance(block.parent, ast.Module)
    places = ((start_of(one, lines), end_of(one, lines)) for one in gone)
    for number, (start, end) in enumerate(joined_extents(places, lines)):
        place = lines.span(start, end)
        shared = removed_from_line(start, end, lines)
        if shared is not None:
            yield Edit(lines.span(shared.start, shared.end), shared.new)
        elif needs_one and number == 0:
            yield Edit(place, "pass")
        else:
            yield _without_lines(place, lines)


def _without_lines(place: Span, lines: LineIndex) -> Edit:
    if place.end_line >= lines.line_count:
        end = lines.position(len(lines.text))
        return Edit(Span(place.line, 0, end.line, end.column), "")
    return Edit(Span(place.line, 0, place.end_line + 1, 0), "")


def _with_gaps(edits: Iterable[Edit], inserted: Container[int], lines: LineIndex) -> Iterator[Edit]:
    """The edits, those that take out whole lines with at most blank ones between them as one, with the blank lines that
    were on both of its sides on one of them only."""
    whole: list[Span] = []
    for edit in sorted(edits, key=lambda one: one.span):
        span = edit.span
        if edit.text or span.column or span.end_column:
            yield edit
        elif whole and _is_gap(range(whole[-1].end_line, span.line), inserted, lines):
            whole[-1] = Span(whole[-1].line, 0, span.end_line, 0)
        else:
            whole.append(span)
    for span in whole:
        first, behind = span.line, span.end_line
        above, below = (
            _blank_lines(range(first - 1, 0, -1), lines),
            _blank_lines(range(behind, lines.line_count), lines),
        )
        if any(line in inserted for line in range(first - above, behind + below + 1)):
            yield Edit(span, "")
        elif first - above == 1:
            yield Edit(Span(1, 0, behind + below, 0), "")
        elif above < below:
            yield Edit(Span(first - above, 0, behind, 0), "")
        else:
            yield Edit(Span(first, 0, behind + below, 0), "")


def _is_gap(between: range, inserted: Container[int], lines: LineIndex) -> bool:
    """Whether there is nothing but blank lines, and nothing comes to stand there."""
    return _blank_lines(between, lines) == len(between) and not any(line in inserted for line in between)


def _blank_lines(numbers: Iterable[int], lines: LineIndex) -> int:
    """How many of the lines with these numbers are blank, up to the first that is not."""
    return sum(1 for _ in itertools.takewhile(lambda number: not lines.line_text(number).strip(), numbers))


def _without_names(bindings: Sequence[ImportBinding], gone: Sequence[ImportBinding]) -> Iterator[Edit]:
    """Take single names out of a statement, each with the comma before it, the first ones with the comma
    behind."""
    ordered = sorted(bindings, key=lambda binding: binding.alias)
    seen_kept = False
    for number, binding in enumerate(ordered):
        if binding not in gone:
            seen_kept = True
            continue
        if seen_kept:
            start, end = ordered[number - 1].alias.end, binding.alias.end
        else:
            start, end = binding.alias.start, ordered[number + 1].alias.start
        yield Edit(Span(start.line, start.column, end.line, end.column), "")
