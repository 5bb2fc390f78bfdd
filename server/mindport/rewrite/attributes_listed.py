"""Code that goes through all attributes of an object, `for name in dir(net): getattr(net, name)`: a Cell lists names
whose values it has not got, and raises where torch's Module has all that it lists."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.rewrite.spans import end_of
from mindport.rewrite.text_edits import TextEdit, with_edits_of_tree
from mindport.source.lines import LineIndex
from mindport.source.trees import every_node


def with_none_for_lacking(text: str) -> str:
    """A converted text in which such a getattr gives None for what the object has not got. The same text where there is
    none, or where it does not parse."""
    if "dir(" not in text or "getattr(" not in text:
        return text
    return with_edits_of_tree(text, _edits)


def _edits(tree: ast.Module, lines: LineIndex) -> Iterator[TextEdit]:
    for owner, name, inside in _listed(tree):
        for part in inside:
            for node in every_node(part):
                match node:
                    case ast.Call(
                        func=ast.Name(id="getattr"), args=[of, ast.Name(id=given) as last], keywords=[]
                    ) if given == name and ast.unparse(of) == owner:
                        end = end_of(last, lines)
                        yield TextEdit(end, end, ", None")


def _listed(tree: ast.Module) -> Iterator[tuple[str, str, list[ast.AST]]]:
    """What is gone through, the name for its attributes, and the code that this name is for."""
    for node in every_node(tree):
        match node:
            case ast.For(target=ast.Name(id=name), iter=listing, body=body):
                inside: list[ast.AST] = [*body]
            case ast.ListComp(elt=element) | ast.SetComp(elt=element) | ast.GeneratorExp(elt=element) if len(
                node.generators
            ) == 1 and isinstance(node.generators[0].target, ast.Name):
                name, listing = node.generators[0].target.id, node.generators[0].iter
                inside = [element, *node.generators[0].ifs]
            case _:
                continue
        match listing:
            case ast.Call(func=ast.Name(id="dir"), args=[owner], keywords=[]):
                yield ast.unparse(owner), name, inside
