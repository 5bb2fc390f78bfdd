"""How settings are given their values: written out, under a condition, or from what another object has."""

from __future__ import annotations

import ast

from mindport.source.trees import children, every_node
from mindport.source.written_names import last_name
from mindport.usage.recipe.code import Function, SourceFile
from mindport.usage.recipe.settings import Setting, SettingKind


def is_conditional(file: SourceFile, node: ast.AST) -> bool:
    """Whether a condition in the same function decides whether a node is reached."""
    for outer in file.outwards(node):
        if isinstance(outer, Function):
            return False
        if isinstance(outer, ast.If):
            return True
    return False


def is_exception(setting: Setting) -> bool:
    """Whether an attribute of a class is given under a condition, and else gets what some other object has."""
    file, node = setting.file, setting.node
    if setting.kind is not SettingKind.ATTRIBUTE or file is None or node is None:
        return False
    owner = file.class_of(node)
    return owner is not None and is_conditional(file, node) and is_handed_on(owner, setting.name)


def is_handed_on(owner: ast.ClassDef, name: str) -> bool:
    """Whether a class keeps what some other object has under a name as an attribute of that name."""
    return any(
        isinstance(node, ast.Assign)
        and last_name(node.value) == name
        and any(isinstance(target, ast.Attribute) and target.attr == name for target in node.targets)
        for node in every_node(owner)
    )


def is_literal(node: ast.expr) -> bool:
    """Whether a value is written out, by signs and operators at the most."""
    if isinstance(node, ast.UnaryOp | ast.BinOp):
        return all(is_literal(child) for child in children(node) if isinstance(child, ast.expr))
    return isinstance(node, ast.Constant)
