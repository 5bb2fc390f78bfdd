"""Walks the statements of one unit in order, with the definitions of functions and classes."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from mindport.usage import torch_model
from mindport.usage.branches import BranchWalker
from mindport.usage.functions import decorate, parameter_list
from mindport.usage.header import ImportTable, import_records
from mindport.usage.overrides import hands_on, is_abstract
from mindport.usage.types import (
    NONE,
    Tag,
    Type,
    make,
)
from mindport.usage.variables import (
    BASE,
    DECORATOR,
    PLAIN,
    FunctionRecord,
    Op,
    SiteForm,
    UnitSummary,
    Value,
)
from mindport.usage.walk_state import RESULT_DISCARDED


class Executors(dict[type, Callable[[Any], "bool | None"]]):
    """By class of node; a kind of statement that a later Python adds is passed over."""

    def __missing__(self, kind: type) -> Callable[[Any], bool | None]:
        return _passed_over


def _passed_over(node: ast.stmt) -> None:
    return None


class UnitWalker(BranchWalker):
    """One walk over one unit. `walk` is the way in."""

    def __init__(self, table: ImportTable, module_name: str) -> None:
        super().__init__(table, module_name)
        self.executors = Executors(
            {
                ast.Expr: self.expression,
                ast.Assign: self.assign,
                ast.AnnAssign: self.annotated_assign,
                ast.AugAssign: self.augmented_assign,
                ast.Return: self.return_,
                ast.If: self.if_,
                ast.For: self.for_,
                ast.AsyncFor: self.for_,
                ast.While: self.while_,
                ast.With: self.with_,
                ast.AsyncWith: self.with_,
                ast.Try: self.try_,
                ast.FunctionDef: self.function_definition,
                ast.AsyncFunctionDef: self.function_definition,
                ast.ClassDef: self.class_definition,
                ast.Import: self.import_,
                ast.ImportFrom: self.import_,
                ast.Raise: self.raise_,
                ast.Assert: self.assert_,
                ast.Delete: self.delete,
                ast.Global: self.global_,
                ast.Nonlocal: self.nonlocal_,
                ast.Pass: self.nothing,
                ast.Break: self.leave,
                ast.Continue: self.leave,
            }
        )
        if hasattr(ast, "TryStar"):
            self.executors[ast.TryStar] = self.try_
        if hasattr(ast, "TypeAlias"):
            self.executors[ast.TypeAlias] = self.type_alias
        if hasattr(ast, "Match"):
            self.executors[ast.Match] = self.match

    def walk(self, statements: list[ast.stmt], class_key: str = "", owner_scope: str = "") -> UnitSummary:
        """Walk the statements of a unit: top-level ones, or statements of the body of the class `class_key`."""
        self.scope = owner_scope
        if class_key:
            self.is_module_level = False
            self.class_record = self.record_of(class_key)
            self.class_body(statements)
        else:
            self.block(statements)
            for name, value in self.environment.items():
                self.summary.bindings.setdefault(name, []).append(value)
        return self.summary

    def walk_class_header(self, statements: list[ast.stmt]) -> UnitSummary:
        """Walk the decorators and bases of a top-level class."""
        for node in statements:
            if isinstance(node, ast.ClassDef):
                self.class_header(node)
        for name, value in self.environment.items():
            self.summary.bindings.setdefault(name, []).append(value)
        return self.summary

    def block(self, statements: list[ast.stmt]) -> bool:
        """Execute statements; whether the end is not reached."""
        executors = self.executors
        for index, statement in enumerate(statements):
            if executors[statement.__class__](statement):
                # What cannot be reached is still the user's code: it is looked at, too.
                for rest in statements[index + 1 :]:
                    executors[rest.__class__](rest)
                return True
        return False

    # -- simple statements

    def nothing(self, node: ast.stmt) -> None:
        return None

    def leave(self, node: ast.stmt) -> bool:
        return True

    def expression(self, node: ast.Expr) -> None:
        value = node.value
        if isinstance(value, ast.Constant):
            return
        self.evaluate(value)
        if isinstance(value, ast.Call):
            self.summary.results[value] = RESULT_DISCARDED
            self.mutation(value)

    def return_(self, node: ast.Return) -> bool:
        value = self.evaluate(node.value) if node.value is not None else NONE
        for part in node.value.elts if isinstance(node.value, ast.Tuple) else (node.value,):
            self.note_handed_on(part)
        if self.function is not None and not self.function.is_generator:
            self.function.returns.append(value)
        return True

    def raise_(self, node: ast.Raise) -> bool:
        if node.exc is not None:
            self.evaluate(node.exc)
        return True

    def assert_(self, node: ast.Assert) -> None:
        self.evaluate(node.test)
        if node.msg is not None:
            self.evaluate(node.msg)
        self.environment = self.narrowed(node.test, True)

    def delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.environment.pop(target.id, None)
            else:
                self.evaluate(target)

    def global_(self, node: ast.Global) -> None:
        self.global_names.update(node.names)

    def nonlocal_(self, node: ast.Nonlocal) -> None:
        self.nonlocal_names.update(node.names)

    def import_(self, node: ast.Import | ast.ImportFrom) -> None:
        at_top = self.is_module_level and self.function is None
        for record in import_records(node, self.scope, self.guarded, at_top):
            self.summary.imports.append(record)
            if at_top or record.name == "*":
                continue
            found = self.table.type_of(record)
            if found is None:
                found_variable = self.variable(Op.IMPORT, None, record.name, (self.module_name, record))
                self.environment[record.local] = found_variable
            else:
                self.environment[record.local] = found
                self.local_imports[record.local] = self.table.dotted_of(record)

    # -- definitions

    def decorators(self, nodes: list[ast.expr]) -> list[Value]:
        values = []
        for node in nodes:
            self.context = DECORATOR
            values.append(self.evaluate(node))
            self.context = PLAIN
        return values

    def type_parameters(self, node: ast.AST) -> None:
        """Bounds and defaults of type parameters (Python 3.12 and 3.13): `def f[T: torch.Tensor](x: T)`."""
        for parameter in getattr(node, "type_params", ()):
            for expression in (getattr(parameter, "bound", None), getattr(parameter, "default_value", None)):
                if expression is not None:
                    self.annotation(expression)

    def type_alias(self, node: ast.stmt) -> None:
        """`type Images = list[torch.Tensor]` (Python 3.12)."""
        self.type_parameters(node)
        value: ast.expr = getattr(node, "value")  # noqa: B009  the class is not there before Python 3.12
        self.annotation(value)

    def function_definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        decorators = self.decorators(node.decorator_list)
        in_class = self.is_class_body
        class_record = self.class_record
        qualified = f"{self.scope}.{node.name}" if self.scope else node.name
        record = FunctionRecord(
            f"{self.module_name}:{qualified}",
            node.name,
            class_record.key if in_class and class_record else "",
        )
        record.decorators = decorators
        decorate(record, node.decorator_list)
        if in_class and class_record is not None:
            self.site(SiteForm.OVERRIDE, node, node.name, make(Tag.PROJECT_CLASS, class_record.key))
            record.hands_on = node.name in torch_model.MEMBER_NAMES and hands_on(node)
            record.is_abstract = is_abstract(node)
        self.type_parameters(node)
        parameters = parameter_list(self, node, record)
        if node.returns is not None:
            record.return_annotation = self.annotation(node.returns)
        before = (self.environment, self.outer, self.function, self.scope, self.is_class_body, self.instance)
        if not in_class and not (self.is_module_level and self.function is None):
            self.outer = (self.environment, *self.outer)
        elif self.is_module_level and self.function is None and self.environment:
            self.outer = (self.environment,)
        outer_body, self.body = self.body, node.body
        self.environment = {}
        self.types_of_values = set()
        self.function = record
        self.scope = qualified
        self.is_class_body = False
        for name, value in parameters:
            self.environment[name] = value
        if in_class and class_record is not None and not record.is_static and parameters:
            self.instance = self.environment[parameters[0][0]]
        if not self.block(node.body) and record.returns and not record.is_generator:
            record.returns.append(NONE)
        self.environment, self.outer, self.function, self.scope, self.is_class_body, self.instance = before
        self.body = outer_body
        self.summary.functions.append(record)
        if in_class:
            return
        self.environment[node.name] = make(Tag.PROJECT_FUNCTION, record.key)

    def class_definition(self, node: ast.ClassDef) -> None:
        self.class_header(node)
        self.class_members(node.name, node.body)

    def class_header(self, node: ast.ClassDef) -> None:
        """Decorators and bases of a class; its body may be walked as other units."""
        decorators = self.decorators(node.decorator_list)
        self.type_parameters(node)
        qualified = f"{self.scope}.{node.name}" if self.scope else node.name
        key = f"{self.module_name}:{qualified}"
        record = self.record_of(key)
        for decorator in decorators:
            if isinstance(decorator, Type) and "dataclass" in decorator.name:
                record.is_dataclass = True
        for base in node.bases:
            self.context = BASE
            record.bases.append(self.evaluate(base))
            self.context = PLAIN
        for keyword in node.keywords:
            self.evaluate(keyword.value)
        self.environment[node.name] = make(Tag.PROJECT_CLASS, key)

    def class_members(self, name: str, body: list[ast.stmt]) -> None:
        """The body of a class that belongs to this unit."""
        qualified = f"{self.scope}.{name}" if self.scope else name
        before = (
            self.environment,
            self.outer,
            self.class_record,
            self.scope,
            self.function,
            self.instance,
            self.is_class_body,
        )
        if self.function is not None:
            self.outer = (self.environment, *self.outer)
        self.environment = {}
        self.class_record = self.record_of(f"{self.module_name}:{qualified}")
        self.scope = qualified
        self.class_body(body)
        (
            self.environment,
            self.outer,
            self.class_record,
            self.scope,
            self.function,
            self.instance,
            self.is_class_body,
        ) = before

    def class_body(self, body: list[ast.stmt]) -> None:
        record = self.class_record
        was_class_body, self.is_class_body = self.is_class_body, True
        self.block(body)
        self.is_class_body = was_class_body
        if record is not None:
            for name, value in self.environment.items():
                record.attributes.setdefault(name, []).append(value)
