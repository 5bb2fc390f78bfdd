"""Reading .pyi files: every function and method with its overloads, and the types of attributes."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from pathlib import Path

from framework_facts.signature_text import of_arguments, tidy_annotation


@dataclass
class Stub:
    """What one stub file, or one class in it, declares."""

    signatures: dict[str, list[str]] = field(default_factory=dict)
    attributes: dict[str, str] = field(default_factory=dict)  # name -> annotation; properties too
    classes: dict[str, Stub] = field(default_factory=dict)
    bases: list[str] = field(default_factory=list)


def read_stub(path: Path) -> Stub:
    """Everything `path` declares; an empty stub if the file is not there."""
    if not path.exists():
        return Stub()
    return _body(ast.parse(path.read_text(encoding="utf-8")).body, in_class=False)


def _body(nodes: list[ast.stmt], *, in_class: bool) -> Stub:
    stub = Stub()
    for node in nodes:
        if isinstance(node, ast.FunctionDef):
            decorators = {ast.unparse(decorator).rpartition(".")[2] for decorator in node.decorator_list}
            if "property" in decorators:
                stub.attributes[node.name] = (
                    tidy_annotation(ast.unparse(node.returns)) if node.returns else ""
                )
            elif not decorators & {"setter", "deleter", "getter"}:
                drop = in_class and "staticmethod" not in decorators
                line = of_arguments(node.args, node.returns, drop_first=drop)
                lines = stub.signatures.setdefault(node.name, [])
                if line not in lines:
                    lines.append(line)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            stub.attributes[node.target.id] = tidy_annotation(ast.unparse(node.annotation))
        elif isinstance(node, ast.ClassDef):
            stub.classes[node.name] = _body(node.body, in_class=True)
            stub.classes[node.name].bases = [ast.unparse(base) for base in node.bases]
        elif isinstance(node, ast.If):
            inner = _body(node.body, in_class=in_class)
            stub.signatures.update(inner.signatures)
            stub.attributes.update(inner.attributes)
            stub.classes.update(inner.classes)
    return stub
