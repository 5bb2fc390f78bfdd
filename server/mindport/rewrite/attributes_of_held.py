"""Networks that give the attributes of what they hold as their own: `__getattr__` that ends in
`return getattr(self.module, name)`. A Cell is asked for attributes before it holds anything, so what is held must not
be looked for in itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.model.language import later, translated
from mindport.model.span import Span
from mindport.model.verdict import Applicability
from mindport.rewrite.pieces import Rewrite
from mindport.source.lines import LineIndex
from mindport.source.trees import every_node

_TITLE = later("Do not look for what a cell holds in itself")


def attributes_of_held(network: ast.ClassDef, lines: LineIndex) -> Iterator[Rewrite]:
    """For each `except` of the `__getattr__` of a class that looks further in an attribute of the object: that
    attribute itself is not looked for there."""
    for method in network.body:
        match method:
            case ast.FunctionDef(
                name="__getattr__", args=ast.arguments(args=[ast.arg(arg=instance), ast.arg(arg=name)])
            ) if not any(isinstance(node, ast.Compare) for node in every_node(method)):
                for handler in every_node(method):
                    if isinstance(handler, ast.ExceptHandler):
                        yield from _guard(handler, instance, name, lines)


def _guard(handler: ast.ExceptHandler, instance: str, name: str, lines: LineIndex) -> Iterator[Rewrite]:
    for statement in handler.body:
        held = next((found for node in every_node(statement) if (found := _held(node, instance))), "")
        indent = lines.line_text(statement.lineno)[
            : lines.column_of_byte(statement.lineno, statement.col_offset)
        ]
        if held and not indent.strip():
            deeper = indent + ("\t" if indent.endswith("\t") else "    ")
            new = f'{indent}if {name} == "{held}":\n{deeper}raise\n'
            place = Span(statement.lineno, 0, statement.lineno, 0)
            yield Rewrite(
                place, (new,), Applicability.SAFE, translated(_TITLE), "torch.nn.Module.__getattr__"
            )
            return


def _held(node: ast.AST, instance: str) -> str:
    """The attribute of the object that a node is, if it is one."""
    match node:
        case ast.Attribute(value=ast.Name(id=found), attr=held) if found == instance:
            return held
    return ""
