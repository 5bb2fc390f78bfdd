"""Branches and loops of one unit, and what names hold where their paths meet."""

from __future__ import annotations

import ast
from abc import abstractmethod
from typing import Any

from mindport.source.trees import every_node
from mindport.usage.assignments import AssignmentWalker
from mindport.usage.guards import backend_branch, imports_mindspore
from mindport.usage.listed_names import lookups_of_listed_names
from mindport.usage.narrowing import narrowings
from mindport.usage.types import (
    BOTTOM,
    EMPTY_LIST,
    OTHER,
    UNKNOWN,
    Tag,
    Type,
)
from mindport.usage.variables import (
    PLAIN,
    TYPE_CHECK,
    WITH,
    Op,
    Value,
    Variable,
)
from mindport.usage.walk_state import Environment


class BranchWalker(AssignmentWalker):
    """Compound statements."""

    @abstractmethod
    def block(self, statements: list[ast.stmt]) -> bool:
        """Execute statements; whether the end is not reached."""

    # -- branches

    def narrowings(self, test: ast.expr, holds: bool) -> dict[str, Value]:
        return narrowings(self, test, holds)

    def narrowed(self, test: ast.expr, holds: bool) -> Environment:
        found = narrowings(self, test, holds)
        if not found:
            return self.environment.copy() if self.environment is not None else {}
        changed = self.environment.copy()
        changed.update(found)
        return changed

    def if_(self, node: ast.If) -> bool:
        self.evaluate(node.test)
        guard = backend_branch(node, self.table.imports_mindspore())
        before = self.environment
        was_guarded = self.guarded
        self.environment = self.narrowed(node.test, True)
        self.guarded = was_guarded or guard is True
        body_leaves = self.block(node.body)
        after_body = self.environment
        self.environment = before
        self.environment = self.narrowed(node.test, False)
        self.guarded = was_guarded or guard is False
        else_leaves = self.block(node.orelse) if node.orelse else False
        self.guarded = was_guarded
        if body_leaves:
            return else_leaves
        if else_leaves:
            self.environment = after_body
        else:
            self.environment = self.merged(after_body, self.environment)
        return False

    def merged(self, first: Environment, second: Environment) -> Environment:
        """What names hold after two paths meet."""
        result = second.copy()
        if self.runs_at_load():
            for name in self.table.rebound & (first.keys() ^ second.keys()):
                bound = first[name] if name in first else second[name]
                result[name] = self.joined([self.rebound_name(name, Op.REACHING), bound])
        for name, value in first.items():
            other = second.get(name)
            if other is None:
                result.setdefault(name, value)
            elif other is not value:
                result[name] = self.joined([value, other])
        for name in [one for one in result if "." in one and (one not in first or one not in second)]:
            del result[name]  # an attribute that only one of them gave; on the other it is what it was
        return result

    def loop(self, body: list[ast.stmt], target: ast.expr | None, item: Value | None) -> None:
        """One round of a loop. Names that are not known to be tensors before it may hold what the round leaves."""
        before = self.environment
        started = before.copy()
        again: dict[str, Variable] = {}
        read = read_names(body)
        for name in assigned_names(body):
            held = before.get(name)
            if held is None and name in self.table.rebound and self.runs_at_load():
                held = self.rebound_name(name, Op.REACHING)
            if held is None and name in read and self.is_new_here(name):
                held = BOTTOM  # nothing yet: whoever reads it has been around before
            if held is None or (isinstance(held, Type) and held.tag in _STEADY and held is not EMPTY_LIST):
                continue
            again[name] = started[name] = looped = self.variable(Op.LOOP, held, "", [])
            if isinstance(held, Variable):
                looped.origin = held.origin
        self.environment = started
        if target is not None and item is not None:
            self.bind(target, item)
        self.block(body)
        for name, variable in again.items():
            after = self.environment.get(name)
            if after is not None and after is not variable:
                variable.detail.append(after)
        self.environment = self.merged(before, self.environment)

    def is_new_here(self, name: str) -> bool:
        """Whether a name that code of a function assigns is the function's own, not one of what is around it."""
        return self.function is not None and name not in self.global_names | self.nonlocal_names

    def for_(self, node: ast.For) -> None:
        item = self.element(self.evaluate(node.iter))
        self.note_row(node.target, node.iter)
        self.listed.update(lookups_of_listed_names(node.target, node.iter, node.body))
        self.loop(node.body, node.target, item)
        self.block(node.orelse)

    def while_(self, node: ast.While) -> None:
        self.evaluate(node.test)
        self.loop(node.body, None, None)
        self.block(node.orelse)

    def with_(self, node: ast.With) -> bool:
        for item in node.items:
            self.context = WITH
            value = self.evaluate(item.context_expr)
            self.context = PLAIN
            if item.optional_vars is not None:
                self.bind(item.optional_vars, value)
        return self.block(node.body)

    def try_(self, node: ast.Try) -> bool:
        guarded = self.guarded
        has_mindspore = imports_mindspore(node.body)
        before = self.environment.copy()
        leaves = self.block(node.body)
        after_body = self.environment
        paths = [] if leaves else [after_body]
        for handler in node.handlers:
            self.environment = self.merged(before, after_body)
            self.guarded = guarded or has_mindspore
            if handler.type is not None:
                self.context = TYPE_CHECK
                self.evaluate(handler.type)
                self.context = PLAIN
            if handler.name:
                self.environment[handler.name] = OTHER
            if not self.block(handler.body):
                paths.append(self.environment)
            self.guarded = guarded
        if not leaves:
            self.environment = after_body
            if node.orelse and self.block(node.orelse):
                paths = paths[1:]
            elif paths:
                paths[0] = self.environment
        merged = after_body
        if paths:
            merged = paths[0]
            for path in paths[1:]:
                merged = self.merged(merged, path)
        self.environment = merged
        self.block(node.finalbody)
        return not paths

    def match(self, node: Any) -> None:
        subject = self.evaluate(node.subject)
        before = self.environment
        result = before
        for case in node.cases:
            self.environment = before.copy()
            for part in every_node(case.pattern):
                name = getattr(part, "name", None)
                if isinstance(name, str):
                    self.environment[name] = subject if part is case.pattern else UNKNOWN
                value = getattr(part, "value", None) or getattr(part, "cls", None)
                if isinstance(value, (ast.Attribute, ast.Name)):
                    self.context = TYPE_CHECK if isinstance(part, ast.MatchClass) else PLAIN
                    self.evaluate(value)
                    self.context = PLAIN
            if case.guard is not None:
                self.evaluate(case.guard)
            if not self.block(case.body):
                result = self.merged(result, self.environment)
        self.environment = result


_STEADY = frozenset(
    {Tag.TENSOR, Tag.CLASS, Tag.FUNCTION, Tag.TORCH_MODULE, Tag.EXTERNAL, Tag.INSTANCE, Tag.STR, Tag.PROJECT_INSTANCE,
     Tag.PROJECT_FUNCTION, Tag.PROJECT_CLASS, Tag.NDARRAY, Tag.SEQUENCE, Tag.DICT, Tag.BOOL}
)  # fmt: skip


def assigned_names(body: list[ast.stmt]) -> set[str]:
    """Names that the statements of a loop assign, not those of functions inside."""
    found: set[str] = set()
    pending: list[ast.AST] = list(body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Assign):
            pending.extend(node.targets)
        elif isinstance(node, (ast.AugAssign, ast.AnnAssign)):
            pending.append(node.target)
        elif isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, (ast.Tuple, ast.List)):
            pending.extend(node.elts)
        elif isinstance(node, ast.Starred):
            pending.append(node.value)
        elif isinstance(node, _BLOCKS):
            for part in ("body", "orelse", "handlers", "finalbody"):
                pending.extend(getattr(node, part, ()))
    return found


def read_names(body: list[ast.stmt]) -> set[str]:
    """Names that are read somewhere in the statements of a loop."""
    nodes = (node for statement in body for node in every_node(statement))
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


_BLOCKS = (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.ExceptHandler)
