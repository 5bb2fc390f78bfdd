"""Which names of the module itself a text reads, as Python's own symbol tables tell: not the local variables of its
functions that happen to be called the same."""

from __future__ import annotations

import ast
import symtable
import sys
from collections.abc import Iterator

from mindport.rewrite.imports import names_in_strings, used_names
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import children, every_node


def names_read_from_module(text: str, tree: ast.Module) -> frozenset[str]:
    """The names that code anywhere in `text`, whose tree is `tree`, reads from the module or from Python, in `__all__`
    and in annotations within quotes, too. Where Python refuses the text, every name that it refers to."""
    try:
        table = symtable.symtable(text, "", "exec")
    except SYNTAX_ERRORS:
        return used_names(tree)
    return frozenset((*_read(table), *names_in_strings(tree)))


def names_bound_by_module(text: str) -> frozenset[str]:
    """The names that the module itself gives a value, other than by `import *`; none where Python refuses the text."""
    try:
        return _bound(symtable.symtable(text, "", "exec"))
    except SYNTAX_ERRORS:
        return frozenset()


def names_of_module(text: str) -> frozenset[str]:
    """The names that the module binds or that are read from it. Empty for text that is no Python. A module of Python's
    own that is read and bound by nothing is left out: to import it only makes such code run."""
    try:
        tree = parse_tree(text)
        table = symtable.symtable(text, "", "exec")
    except SYNTAX_ERRORS:
        return frozenset()
    symbols = table.get_symbols()
    assigned = {name for inner in _below(table) for name in _assigned_as_global(inner)}
    told = _bound(table) | assigned | {*names_in_strings(tree)}
    has_stars = any(
        isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in every_node(tree)
    )
    forgotten = frozenset() if has_stars else sys.stdlib_module_names - told
    return frozenset(("", *(one.get_name() for one in symbols), *_read(table))) - forgotten | told


def names_of_others(text: str) -> frozenset[str]:
    """The names that the module binds to anything but the module that is called so, by `from copy import copy`. Raises
    one of SYNTAX_ERRORS."""
    bound = _bound(table := symtable.symtable(text, "", "exec"))
    imported: set[str] = set()
    others: set[str] = set()
    for node in _of_module(parse_tree(text)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                root = alias.name.partition(".")[0]
                is_same = alias.asname in (None, alias.name)
                (imported if is_same else others).add(root if is_same else alias.asname or root)
        elif isinstance(node, ast.ImportFrom):
            others |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            others.add(node.id)
        elif isinstance(node, _DEFINING):
            others.add(node.name)
    assigned = {name for inner in _below(table) for name in _assigned_as_global(inner)}
    return frozenset((bound - (imported - others)) | assigned)


_DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def _of_module(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes whose names are those of the module: not what stands in functions and classes."""
    for child in children(node):
        yield child
        if not isinstance(child, (*_DEFINING, ast.Lambda)):
            yield from _of_module(child)


def _bound(table: symtable.SymbolTable) -> frozenset[str]:
    return frozenset(one.get_name() for one in table.get_symbols() if one.is_assigned() or one.is_imported())


def _below(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    for inner in table.get_children():
        yield inner
        yield from _below(inner)


def _read(table: symtable.SymbolTable) -> Iterator[str]:
    for one in (table, *_below(table)):
        # What a class binds and reads may be the module's until it is bound.
        is_own = one is table or one.get_type() == "class"
        for symbol in one.get_symbols():
            if symbol.is_referenced() and (is_own or symbol.is_global()):
                yield symbol.get_name()


def _assigned_as_global(table: symtable.SymbolTable) -> Iterator[str]:
    return (symbol.get_name() for symbol in table.get_symbols() if symbol.is_declared_global())
