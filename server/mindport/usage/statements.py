"""Walks the statements of one unit in order, keeping what each name holds, and joins what branches leave behind."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from mindport.usage import algebra, torch_model
from mindport.usage.annotations import AnnotationReader
from mindport.usage.expressions import (
    OPERATORS,
    RESULT_DISCARDED,
    RESULT_UNPACKED,
    Environment,
    ExpressionWalker,
)
from mindport.usage.functions import decorate, parameter_list
from mindport.usage.guards import backend_branch, imports_mindspore
from mindport.usage.header import ImportTable, import_records
from mindport.usage.narrowing import narrowings
from mindport.usage.types import (
    NONE,
    OTHER,
    STR,
    TENSOR,
    UNKNOWN,
    Tag,
    Type,
    dict_of,
    join_all,
    make,
    sequence_of,
)
from mindport.usage.variables import (
    BASE,
    DECORATOR,
    PLAIN,
    WITH,
    FunctionRecord,
    Op,
    SiteForm,
    UnitSummary,
    Value,
    Variable,
)


class UnitWalker(AnnotationReader, ExpressionWalker):
    """One walk over one unit. `walk` is the way in."""

    def __init__(self, table: ImportTable, module_name: str) -> None:
        super().__init__(table, module_name)
        self.is_module_level = True
        self.executors: dict[type, Callable[[Any], bool | None]] = {
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
            ast.Nonlocal: self.nothing,
            ast.Pass: self.nothing,
            ast.Break: self.leave,
            ast.Continue: self.leave,
        }
        if hasattr(ast, "TryStar"):
            self.executors[ast.TryStar] = self.try_
        if hasattr(ast, "TypeAlias"):
            self.executors[ast.TypeAlias] = self.nothing
        if hasattr(ast, "Match"):
            self.executors[ast.Match] = self.match
        self.global_names: set[str] = set()

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

    def start(self) -> None:
        """Forget the unit walked before."""
        self.begin()
        self.is_module_level = True
        self.global_names = set()

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

    def mutation(self, node: ast.Call) -> None:
        """`xs.append(x)` and `self.register_buffer("name", x)` say what things hold."""
        function = node.func
        if not isinstance(function, ast.Attribute) or not node.args:
            return
        name = function.attr
        if name in ("register_buffer", "register_parameter", "add_module", "register_module"):
            literal = node.args[0]
            if isinstance(literal, ast.Constant) and isinstance(literal.value, str) and self.class_record is not None:
                receiver = function.value
                if isinstance(receiver, ast.Name) and self.environment.get(receiver.id) is self.instance:
                    value: Value = TENSOR if "module" not in name else torch_model.MODULE_INSTANCE
                    if "module" in name and len(node.args) > 1:
                        value = self.quiet(node.args[1])
                    self.attribute_assigned(self.instance, literal.value, value)
        elif name in ("append", "add", "insert", "extend"):
            self.appended(function.value, node.args[-1], name)

    def quiet(self, node: ast.expr) -> Value:
        """The value of an expression that was evaluated before: nothing is written down twice."""
        sites, names = len(self.summary.sites), set(self.summary.names)
        value = self.evaluate(node)
        del self.summary.sites[sites:]
        self.summary.names = names
        return value

    def appended(self, receiver: ast.expr, argument: ast.expr, name: str) -> None:
        if isinstance(receiver, ast.Name):
            held = self.environment.get(receiver.id)
            if isinstance(held, Type) and held.tag is Tag.SEQUENCE:
                value = self.quiet(argument)
                if name == "extend":
                    value = self.element(value)
                self.environment[receiver.id] = self.sequence_with(held, value)
            elif isinstance(held, Variable) and held.op is Op.SEQUENCE and held.name == "":
                value = self.quiet(argument)
                held.detail.append(self.element(value) if name == "extend" else value)
        elif isinstance(receiver, ast.Attribute):
            value = self.quiet(argument)
            if name == "extend":
                value = self.element(value)
            base = self.quiet(receiver.value)
            if isinstance(value, Type):
                self.attribute_assigned(base, receiver.attr, sequence_of(value))
            else:
                self.attribute_assigned(base, receiver.attr, self.variable(Op.SEQUENCE, None, "", [value]))

    def sequence_with(self, held: Type, value: Value) -> Value:
        """A list that now holds one more value."""
        known = held.parts[0]
        if isinstance(value, Type):
            return sequence_of(value if known is UNKNOWN else join_all((known, value)))
        return self.variable(Op.SEQUENCE, None, "", [value] if known is UNKNOWN else [known, value])

    def assign(self, node: ast.Assign) -> None:
        value = self.evaluate(node.value)
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.environment[target.id] = value
                if target.id in self.global_names:
                    self.summary.bindings.setdefault(target.id, []).append(value)
            else:
                if isinstance(target, ast.Tuple) or isinstance(target, ast.List):
                    self.summary.results[node.value] = RESULT_UNPACKED
                    if isinstance(node.value, ast.Tuple):
                        self.bind_pairwise(target, node.value, value)
                        continue
                self.bind(target, value)

    def bind_pairwise(self, target: ast.Tuple | ast.List, source: ast.Tuple, value: Value) -> None:
        """`a, b = x, y`: the parts are known one by one."""
        if isinstance(value, Variable) and value.op is Op.SEQUENCE and len(value.detail) == len(target.elts):
            if not any(isinstance(part, ast.Starred) for part in (*target.elts, *source.elts)):
                for part, held in zip(target.elts, value.detail):
                    self.bind(part, held)
                return
        self.bind(target, value)

    def bind(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self.environment[target.id] = value
        elif isinstance(target, ast.Tuple) or isinstance(target, ast.List):
            self.unpack(target.elts, value)
        elif isinstance(target, ast.Attribute):
            self.store_attribute(target, value)
        elif isinstance(target, ast.Subscript):
            self.store_item(target, value)
        elif isinstance(target, ast.Starred):
            self.bind(target.value, value)

    def unpack(self, targets: list[ast.expr], value: Value) -> None:
        count = len(targets)
        starred = any(isinstance(target, ast.Starred) for target in targets)
        if isinstance(value, Variable):
            self.use(value, "@unpacked")
        elif value.tag is Tag.PROJECT_INSTANCE:
            value = self.variable(Op.ELEMENT, value)
        for index, target in enumerate(targets):
            if starred:
                part = self.element(value)
                if isinstance(target, ast.Starred):
                    part = sequence_of(part) if isinstance(part, Type) else self.variable(Op.SEQUENCE, None, "", [part])
                elif isinstance(value, Variable) or value.tag is Tag.TUPLE:
                    after_star = any(isinstance(before, ast.Starred) for before in targets[:index])
                    part = self.item_at(value, index - count if after_star else index)
            elif isinstance(value, Variable):
                part = self.variable(Op.UNPACK, value, "", (index, count))
            else:
                known = algebra.unpacked(value, index, count)
                part = known if known is not UNKNOWN else self.variable(Op.UNPACK, value, "", (index, count))
            self.bind(target, part)

    def item_at(self, value: Value, index: int) -> Value:
        """`value[index]` for a constant index that the user does not write."""
        if isinstance(value, Variable):
            return self.variable(Op.ITEM, value, "", (index, OTHER))
        return algebra.item(value, index, OTHER)

    def store_attribute(self, target: ast.Attribute, value: Value) -> None:
        base = self.base_value(target.value)
        name = target.attr
        if isinstance(base, Variable):
            self.use(base, "=" + name)
            if name in torch_model.MEMBER_NAMES:
                self.site(SiteForm.MEMBER, target, name, base)
            return
        self.attribute_assigned(base, name, value)
        if base.tag in (Tag.TENSOR, Tag.INSTANCE, Tag.UNION):
            self.site(SiteForm.MEMBER, target, name, base)
        elif base.tag is Tag.TORCH_MODULE:
            reference = torch_model.reference(f"{base.name}.{name}")
            self.site(SiteForm.NAME, target, f"{base.name}.{name}", reference.type)

    def store_item(self, target: ast.Subscript, value: Value) -> None:
        self.subscript(target)
        holder = target.value
        if isinstance(holder, ast.Name):
            held = self.environment.get(holder.id)
            if isinstance(held, Type) and held.tag is Tag.DICT:
                known = held.parts[1]
                if isinstance(value, Type):
                    stored = value if known is UNKNOWN else join_all((known, value))
                    self.environment[holder.id] = dict_of(STR, stored)
                else:
                    values = [value] if known is UNKNOWN else [known, value]
                    self.environment[holder.id] = self.variable(Op.DICT, None, "", values)
            elif isinstance(held, Variable) and held.op is Op.DICT:
                held.detail.append(value)
        elif isinstance(holder, ast.Attribute):
            base = self.quiet(holder.value)
            if isinstance(base, Type) and base.tag is Tag.PROJECT_INSTANCE:
                self.attribute_assigned(base, holder.attr, self.variable(Op.DICT, None, "", [value]))

    def annotated_assign(self, node: ast.AnnAssign) -> None:
        declared = self.annotation(node.annotation)
        value = self.evaluate(node.value) if node.value is not None else None
        chosen = value if value is not None and (declared is None or self.is_more_exact(value, declared)) else declared
        if chosen is None:
            return
        if self.is_class_body and isinstance(node.target, ast.Name) and self.class_record is not None:
            if declared is not None:
                self.class_record.annotations[node.target.id] = declared
                self.class_record.attributes.setdefault(node.target.id, []).append(declared)
                return
        self.bind(node.target, chosen)

    @staticmethod
    def is_more_exact(value: Value, declared: Value) -> bool:
        """Whether the assigned value says more than the declaration."""
        return isinstance(value, Type) and value.tag not in (Tag.UNKNOWN, Tag.NONE, Tag.SEQUENCE, Tag.DICT, Tag.OTHER)

    def augmented_assign(self, node: ast.AugAssign) -> None:
        value = self.evaluate(node.value)
        target = node.target
        name = OPERATORS[node.op.__class__].replace("__", "__i", 1)
        if isinstance(target, ast.Name):
            before = self.lookup(target.id)
            self.environment[target.id] = self.operation(node, name, before, value)
            return
        if isinstance(target, ast.Attribute):
            before = self.attribute(target)
            result = self.operation(node, name, before, value)
            base = self.quiet(target.value)
            self.attribute_assigned(base, target.attr, result)
        else:
            before = self.subscript(target)
            self.operation(node, name, before, value)

    def return_(self, node: ast.Return) -> bool:
        value = self.evaluate(node.value) if node.value is not None else NONE
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

    # -- branches

    def narrowed(self, test: ast.expr, holds: bool) -> Environment:
        found = narrowings(self, test, holds)
        if not found:
            return self.environment.copy() if self.environment is not None else {}
        changed = self.environment.copy()
        changed.update(found)
        return changed

    def if_(self, node: ast.If) -> bool:
        self.evaluate(node.test)
        guard = backend_branch(node.test)
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
        for name, value in first.items():
            other = second.get(name)
            if other is None:
                result[name] = value
            elif other is not value:
                result[name] = self.joined([value, other])
        return result

    def loop(self, body: list[ast.stmt], target: ast.expr | None, item: Value | None) -> None:
        """One round of a loop. Names that are not known to be tensors before it may hold what the round leaves."""
        before = self.environment
        started = before.copy()
        again: dict[str, Variable] = {}
        for name in assigned_names(body):
            held = before.get(name)
            if held is None or (isinstance(held, Type) and held.tag in _STEADY):
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

    def for_(self, node: ast.For) -> None:
        item = self.element(self.evaluate(node.iter))
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
                self.evaluate(handler.type)
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
            for part in ast.walk(case.pattern):
                name = getattr(part, "name", None)
                if isinstance(name, str):
                    self.environment[name] = subject if part is case.pattern else UNKNOWN
                value = getattr(part, "value", None) or getattr(part, "cls", None)
                if isinstance(value, (ast.Attribute, ast.Name)):
                    self.evaluate(value)
            if case.guard is not None:
                self.evaluate(case.guard)
            if not self.block(case.body):
                result = self.merged(result, self.environment)
        self.environment = result

    # -- definitions

    def decorators(self, nodes: list[ast.expr]) -> list[Value]:
        values = []
        for node in nodes:
            self.context = DECORATOR
            values.append(self.evaluate(node))
            self.context = PLAIN
        return values

    def function_definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        decorators = self.decorators(node.decorator_list)
        in_class = self.is_class_body
        class_record = self.class_record
        qualified = f"{self.scope}.{node.name}" if self.scope else node.name
        record = FunctionRecord(f"{self.module_name}:{qualified}", node.name, class_record.key if in_class and class_record else "")
        record.decorators = decorators
        decorate(record, node.decorator_list)
        if in_class and class_record is not None:
            self.site(SiteForm.OVERRIDE, node, node.name, make(Tag.PROJECT_CLASS, class_record.key))
        parameters = parameter_list(self, node, record)
        if node.returns is not None:
            record.return_annotation = self.annotation(node.returns)
        before = (self.environment, self.outer, self.function, self.scope, self.is_class_body, self.instance)
        if not in_class and not (self.is_module_level and self.function is None):
            self.outer = (self.environment, *self.outer)
        elif self.is_module_level and self.function is None and self.environment:
            self.outer = (self.environment,)
        self.environment = {}
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
        before = (self.environment, self.outer, self.class_record, self.scope, self.function, self.instance, self.is_class_body)
        if self.function is not None:
            self.outer = (self.environment, *self.outer)
        self.environment = {}
        self.class_record = self.record_of(f"{self.module_name}:{qualified}")
        self.scope = qualified
        self.class_body(body)
        self.environment, self.outer, self.class_record, self.scope, self.function, self.instance, self.is_class_body = before

    def class_body(self, body: list[ast.stmt]) -> None:
        record = self.class_record
        was_class_body, self.is_class_body = self.is_class_body, True
        self.block(body)
        self.is_class_body = was_class_body
        if record is not None:
            for name, value in self.environment.items():
                record.attributes.setdefault(name, []).append(value)


_STEADY = frozenset(
    {Tag.TENSOR, Tag.CLASS, Tag.FUNCTION, Tag.TORCH_MODULE, Tag.EXTERNAL, Tag.INSTANCE, Tag.STR, Tag.PROJECT_INSTANCE,
     Tag.PROJECT_FUNCTION, Tag.PROJECT_CLASS, Tag.NDARRAY, Tag.SEQUENCE, Tag.DICT, Tag.BOOL}
)  # fmt: skip


def assigned_names(body: list[ast.stmt]) -> set[str]:
    """Names that the statements of a loop assign plainly, not those of functions inside."""
    found: set[str] = set()
    pending: list[ast.stmt] = list(body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    found.add(target.id)
                elif isinstance(target, ast.Tuple):
                    found.update(part.id for part in target.elts if isinstance(part, ast.Name))
        elif isinstance(node, ast.AugAssign):
            if isinstance(node.target, ast.Name):
                found.add(node.target.id)
        elif isinstance(node, _BLOCKS):
            pending.extend(node.body)
            pending.extend(getattr(node, "orelse", ()))
    return found


_BLOCKS = (ast.If, ast.For, ast.While, ast.With, ast.Try)

__all__ = ["UnitWalker", "assigned_names"]
