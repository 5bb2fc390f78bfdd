"""Runs statements, for following a gradient: what names, attributes and containers hold afterwards."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from mindport.usage.regions.expressions import Expressions
from mindport.usage.regions.values import (
    UNREAD,
    BodyRun,
    Choice,
    ClassOf,
    Constant,
    Data,
    FunctionOf,
    Items,
    OwnInstance,
    UnaskedItem,
    Value,
    Waiting,
    chosen,
)

_MOST_ROUNDS = 32
_WITHOUT_GRADIENT = frozenset({"torch.no_grad", "torch.inference_mode", "torch.autograd.no_grad"})


class Statements(Expressions):
    """Every kind of statement."""

    def run(self, statements: list[tuple[ast.stmt, int]], frame: BodyRun) -> None:
        """Run statements of which each has its own shift."""
        for statement, shift in statements:
            frame.shift = shift
            if self._statement(statement, frame):
                return

    def _block(self, statements: list[ast.stmt], frame: BodyRun) -> bool:
        """Run statements; whether the end is not reached."""
        return any(self._statement(statement, frame) for statement in statements)

    def _statement(self, node: ast.stmt, frame: BodyRun) -> bool:
        method = _METHODS.get(node.__class__)
        return method is not None and self.step() and bool(method(self, node, frame))

    def _expression(self, node: ast.Expr, frame: BodyRun) -> None:
        if not isinstance(node.value, ast.Constant):
            self.evaluate(node.value, frame)

    def _assign(self, node: ast.Assign, frame: BodyRun) -> None:
        value = self._kept(self.evaluate(node.value, frame), frame)
        for target in node.targets:
            self.bind(target, value, frame)

    def _kept(self, value: Value, frame: BodyRun) -> Value:
        """A value as an assignment keeps it."""
        value = self.plain(value, frame)
        if frame.is_cut and isinstance(value, (Data, Waiting, UnaskedItem)):
            cut = Data()
            cut.is_cut = True
            return cut
        return value

    def _annotated(self, node: ast.AnnAssign, frame: BodyRun) -> None:
        if node.value is not None:
            self.bind(node.target, self._kept(self.evaluate(node.value, frame), frame), frame)

    def _augmented(self, node: ast.AugAssign, frame: BodyRun) -> None:
        value = self.evaluate(node.value, frame)
        target = node.target
        if isinstance(target, ast.Name):
            before = self.name(target.id, frame)
        elif isinstance(target, ast.Attribute):
            before = self.attribute(
                self.evaluate(target.value, frame), target.attr, self.site(target, frame), frame
            )
        else:
            before = self.evaluate(target.value, frame)
        before = self.plain(self.settled(before) if isinstance(before, UnaskedItem) else before, frame)
        if isinstance(before, Items) and isinstance(node.op, ast.Add):
            held = self.settled(value)
            before.values += held.values if isinstance(held, Items) else [held]
            return
        self.bind(target, self.operation(node, before, value, node.op, frame), frame)

    def _return(self, node: ast.Return, frame: BodyRun) -> bool:
        value = (
            self.plain(self.evaluate(node.value, frame), frame) if node.value is not None else Constant(None)
        )
        frame.returned.append(value)
        return True

    def _leave(self, node: ast.stmt, frame: BodyRun) -> bool:
        return True

    def _delete(self, node: ast.Delete, frame: BodyRun) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                frame.names.pop(target.id, None)

    # -- targets

    def bind(self, target: ast.expr, value: Value, frame: BodyRun) -> None:
        """Assign to a target."""
        if isinstance(target, ast.Name):
            frame.names[target.id] = value
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target.elts, value, frame)
        elif isinstance(target, ast.Starred):
            self.bind(target.value, value, frame)
        elif isinstance(target, ast.Attribute):
            self._store_attribute(target, value, frame)
        elif isinstance(target, ast.Subscript):
            self._store_item(target, value, frame)

    def _unpack(self, targets: list[ast.expr], value: Value, frame: BodyRun) -> None:
        starred = next(
            (index for index, target in enumerate(targets) if isinstance(target, ast.Starred)), None
        )
        if isinstance(value, (Waiting, UnaskedItem, Choice)) and starred is None:
            for index, target in enumerate(targets):
                part = UnaskedItem(value, index)
                part.conditions = value.conditions
                self.bind(target, part, frame)
            return
        value = self.settled(value)
        held = value.values if isinstance(value, Items) else None
        if held is None and not isinstance(value, (Data, Constant)):
            held = self.element(value)
        for index, target in enumerate(targets):
            if held is None:
                if isinstance(value, Data) and value.gradient is None:
                    part_of: Value = Data((value,))
                else:
                    part_of = value
            elif starred is not None and index == starred:
                part_of = Items(held[index : len(held) - (len(targets) - index - 1)])
            else:
                place = index if starred is None or index < starred else index - len(targets)
                known = -len(held) <= place < len(held)
                part_of = held[place] if known else (chosen(held) if held else Data())
            self.bind(target, part_of, frame)

    def _store_attribute(self, target: ast.Attribute, value: Value, frame: BodyRun) -> None:
        base = self.evaluate(target.value, frame)
        if isinstance(base, (Waiting, UnaskedItem)) and target.attr in ("requires_grad", "grad", "data"):
            return
        base = self.settled(base)
        for one in base.values if isinstance(base, Choice) else [base]:
            if not isinstance(one, OwnInstance):
                continue
            self.make(one)
            before = one.attributes.get(target.attr)
            is_conditional = bool(frame.conditions - one.conditions)
            if before is not None and is_conditional and not _is_empty(before):
                one.attributes[target.attr] = chosen([before, value])
            else:
                one.attributes[target.attr] = value

    def _store_item(self, target: ast.Subscript, value: Value, frame: BodyRun) -> None:
        base = self.settled(self.evaluate(target.value, frame))
        key = (
            self.evaluate(target.slice, frame)
            if not isinstance(target.slice, ast.Slice)
            else Constant(UNREAD)
        )
        if isinstance(base, Items):
            if base.keys is not None:
                base.keys.append(key)
                base.values.append(value)
            elif (
                isinstance(key, Constant)
                and isinstance(key.value, int)
                and -len(base.values) <= key.value < len(base.values)
            ):
                base.values[key.value] = value
        elif isinstance(target.value, ast.Name) and isinstance(base, Data):
            frame.names[target.value.id] = Data(
                (base, value), ".__setitem__", self.site(target, frame), frame
            )

    # -- branches

    def _if(self, node: ast.If, frame: BodyRun) -> bool:
        known = True if _is_main(node.test) else self.truth(self.evaluate(node.test, frame))
        if known is not None:
            return self._block(node.body if known else node.orelse, frame)
        before, conditions = frame.names, frame.conditions
        after: list[dict[str, Value]] = []
        leaves: list[bool] = []
        for body, holds in ((node.body, True), (node.orelse, False)):
            frame.names = dict(before)
            frame.conditions = conditions | {(id(frame), id(node), holds)}
            leaves.append(self._block(body, frame))
            after.append(frame.names)
        frame.conditions = conditions
        frame.names = before
        if all(leaves):
            return True
        self._take_over(before, [names for names, left in zip(after, leaves, strict=True) if not left])
        return False

    @staticmethod
    def _take_over(names: dict[str, Value], paths: list[dict[str, Value]]) -> None:
        """What names hold after several paths meet."""
        found: dict[str, Value] = {}
        for path in paths:
            for name in path:
                if name not in found:
                    found[name] = chosen([one[name] for one in paths if name in one])
        names.clear()
        names.update(found)

    def _for(self, node: ast.For, frame: BodyRun) -> bool:
        elements = self.element(self.evaluate(node.iter, frame))
        if frame.is_watched or not frame.name:
            # A training loop: one round shows what there is.
            rounds = [chosen(elements)] if elements else []
        else:
            rounds = elements[:_MOST_ROUNDS]
        for element in rounds:
            self.bind(node.target, element, frame)
            left = len(frame.returned)
            self._block(node.body, frame)
            if len(frame.returned) > left:
                break
        return self._block(node.orelse, frame)

    def _while(self, node: ast.While, frame: BodyRun) -> bool:
        self.evaluate(node.test, frame)
        self._block(node.body, frame)
        return self._block(node.orelse, frame)

    def _with(self, node: ast.With, frame: BodyRun) -> bool:
        was_cut = frame.is_cut
        for item in node.items:
            value = self.evaluate(item.context_expr, frame)
            if isinstance(value, Data) and value.api in _WITHOUT_GRADIENT:
                frame.is_cut = True
            if item.optional_vars is not None:
                self.bind(item.optional_vars, value, frame)
        leaves = self._block(node.body, frame)
        frame.is_cut = was_cut
        return leaves

    def _try(self, node: ast.Try, frame: BodyRun) -> bool:
        leaves = self._block(node.body, frame)
        conditions = frame.conditions
        for handler in node.handlers:
            frame.conditions = conditions | {(id(frame), id(handler), True)}
            names = dict(frame.names)
            self._block(handler.body, frame)
            frame.names = {**frame.names, **names}
        frame.conditions = conditions
        if not leaves:
            leaves = self._block(node.orelse, frame)
        return self._block(node.finalbody, frame) or leaves

    def _match(self, node: Any, frame: BodyRun) -> None:
        self.evaluate(node.subject, frame)
        before, conditions = frame.names, frame.conditions
        after = [dict(before)]
        for case in node.cases:
            frame.names = dict(before)
            frame.conditions = conditions | {(id(frame), id(case), True)}
            self._block(case.body, frame)
            after.append(frame.names)
        frame.conditions = conditions
        frame.names = before
        self._take_over(before, after)

    # -- definitions

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, frame: BodyRun) -> None:
        is_top = frame.outer is None and not frame.name and frame.caller is None
        before = frame.names.get(node.name)
        if is_top and isinstance(before, FunctionOf) and before.node is node:
            return
        made = FunctionOf(node, frame.path, frame.shift, frame)
        frame.names[node.name] = made
        frame.nested.append(made)

    def _class(self, node: ast.ClassDef, frame: BodyRun) -> None:
        known = self.classes.get(id(node))
        if known is not None:
            # Its members are units of their own: the body of this tree may be that of an earlier text.
            frame.names[node.name] = known
            return
        made = ClassOf(node, frame.path, frame.shift, frame)
        for statement in node.body:
            self.add_member(made, statement, frame.shift)
        frame.names[node.name] = made

    def _import(self, node: ast.Import | ast.ImportFrom, frame: BodyRun) -> None:
        self.import_names(node, frame)


def _is_main(test: ast.expr) -> bool:
    """`if __name__ == "__main__":`"""
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"


def _is_empty(value: Value) -> bool:
    return isinstance(value, Constant) and value.value is None


_METHODS: dict[type, Callable[[Any, Any, BodyRun], bool | None]] = {
    ast.Expr: Statements._expression, ast.Assign: Statements._assign, ast.AnnAssign: Statements._annotated,
    ast.AugAssign: Statements._augmented, ast.Return: Statements._return, ast.If: Statements._if,
    ast.For: Statements._for, ast.AsyncFor: Statements._for, ast.While: Statements._while, ast.With: Statements._with,
    ast.AsyncWith: Statements._with, ast.Try: Statements._try, ast.FunctionDef: Statements._function,
    ast.AsyncFunctionDef: Statements._function, ast.ClassDef: Statements._class, ast.Import: Statements._import,
    ast.ImportFrom: Statements._import, ast.Delete: Statements._delete, ast.Raise: Statements._leave,
    ast.Break: Statements._leave, ast.Continue: Statements._leave,
}  # fmt: skip
if hasattr(ast, "Match"):
    _METHODS[ast.Match] = Statements._match
if hasattr(ast, "TryStar"):
    _METHODS[ast.TryStar] = Statements._try
