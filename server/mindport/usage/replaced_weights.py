"""Weights that get other memory, as `p.data = value` and `load_state_dict` give them: an optimizer of MindSpore loses
them once it was called."""

from __future__ import annotations

import ast

from mindport.usage.changes_between_steps import Change

# What holds no weights, by a part of its name: `scheduler.load_state_dict(...)`.
_NO_NETWORKS = ("opt", "sched", "scaler")


def _is_replacement(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr="load_state_dict") as func):
            owner = ast.unparse(func.value).lower()
            return not any(word in owner for word in _NO_NETWORKS)
        case ast.Assign(targets=targets):
            return any(isinstance(one, ast.Attribute) and one.attr == "data" for one in targets)
        case ast.AugAssign(target=ast.Attribute(attr="data")):
            return True
    return False


REPLACED_WEIGHTS = Change((".data", "load_state_dict"), _is_replacement, by_anybody=True, in_any_loop=True)
