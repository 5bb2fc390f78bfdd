"""Splits an example's statements at the one that builds the module `m`, and runs them in a namespace."""

from __future__ import annotations

import ast
import linecache
from types import CodeType
from typing import Any, NamedTuple


class Snippet(NamedTuple):
    """`prelude` runs once (it builds modules and optimizers), `body` is what is differentiated, `observe`
    the result."""

    prelude: CodeType
    body: CodeType
    observe: CodeType | None


def split_snippet(source: str, observe: str, inputs: frozenset[str]) -> Snippet:
    """Compile `source`; statements up to the last one that needs no input go to the prelude.

    Raises SyntaxError when the example is no Python."""
    tree = ast.parse(source)
    border = 0
    for statement in tree.body:
        is_definition = isinstance(statement, (ast.ClassDef, ast.FunctionDef))
        names = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
        if names & inputs and not is_definition:  # inside a definition they are its own parameters
            break
        border += 1
    bound = {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    } | {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    missing = observe == "y" and "y" not in bound | inputs
    file = _remember(source)
    return Snippet(
        _compile(tree.body[:border], file),
        _compile(tree.body[border:], file),
        None if missing else compile(observe, "<observe>", "eval"),
    )


def run(code: CodeType, namespace: dict[str, Any]) -> None:
    """Execute compiled statements; whatever they raise comes through."""
    exec(code, namespace)


def evaluate(code: CodeType, namespace: dict[str, Any]) -> Any:
    """Evaluate the compiled observed expression; whatever it raises comes through."""
    return eval(code, namespace)


def compile_text(text: str) -> CodeType:
    """Compile the text of statements, so that MindSpore finds it. Raises SyntaxError when it is no Python."""
    return _compile(ast.parse(text).body, _remember(text))


def _compile(statements: list[ast.stmt], file: str) -> CodeType:
    return compile(ast.Module(body=statements, type_ignores=[]), file, "exec")


def _remember(source: str) -> str:
    """A file name under which `inspect` finds `source`: MindSpore reads the text of the functions it compiles."""
    file = f"<example {hash(source):x}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    return file
