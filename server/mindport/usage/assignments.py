"""Assignments of one unit: what names, attributes and containers hold afterwards."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from mindport.source.trees import every_node
from mindport.usage import algebra, torch_model
from mindport.usage.annotations import AnnotationReader
from mindport.usage.bounds_in_indices import has_one_element
from mindport.usage.called_names import is_kind_of_tensors, is_type_of
from mindport.usage.counted_from_the_end import may_count_from_end
from mindport.usage.counted_masks import counted_names, may_give_mask
from mindport.usage.elementwise import origin
from mindport.usage.lists_in_indices import may_come_to_nothing
from mindport.usage.masks_in_indices import gives_bytes
from mindport.usage.names_of_cells import TAKEN
from mindport.usage.numbers_in_indices import gives_rows
from mindport.usage.operations import OPERATORS
from mindport.usage.overrides import CALLED_BY_TORCH
from mindport.usage.types import (
    OTHER,
    PROVED,
    STR,
    TENSOR,
    UNKNOWN,
    Tag,
    Type,
    dict_of,
    is_vague,
    join_all,
    sequence_of,
)
from mindport.usage.values_as_indices import selecting_names
from mindport.usage.variables import PLAIN, TYPE_CHECK, Op, SiteForm, Value, Variable, kept_item
from mindport.usage.walk_state import (
    RESULT_ASSIGNED,
    RESULT_CHOSEN,
    RESULT_INDEX,
    RESULT_UNPACKED,
    FindNames,
    may_be_member,
)


class AssignmentWalker(AnnotationReader):
    """Targets of assignments, and methods that change what their receiver holds."""

    def mutation(self, node: ast.Call) -> None:
        """`xs.append(x)` and `self.register_buffer("name", x)` say what things hold."""
        function = node.func
        if not isinstance(function, ast.Attribute) or not node.args:
            return
        name = function.attr
        if name in ("register_buffer", "register_parameter", "add_module", "register_module"):
            literal = node.args[0]
            if (
                isinstance(literal, ast.Constant)
                and isinstance(literal.value, str)
                and self.class_record is not None
            ):
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
            elif held is None and self.is_of_module(receiver.id):
                value = self.quiet(argument)
                one = self.element(value) if name == "extend" else value
                self.kept_by_module(receiver.id, self.variable(Op.SEQUENCE, None, "", [one]))
        elif isinstance(receiver, ast.Attribute):
            value = self.quiet(argument)
            if name == "extend":
                value = self.element(value)
            base = self.quiet(receiver.value)
            if isinstance(value, Type):
                self.attribute_assigned(base, receiver.attr, sequence_of(value))
            else:
                self.attribute_assigned(base, receiver.attr, self.variable(Op.SEQUENCE, None, "", [value]))

    def is_of_module(self, name: str) -> bool:
        """Whether a function means what its module has by a name."""
        is_local = any(name in scope for scope in self.outer)
        return self.function is not None and not is_local and name in self.table.names

    def kept_by_module(self, name: str, held: Variable) -> None:
        """A function puts something into a list or dictionary of its module, `NETS.append(net)`: it may be as if the
        name were `held`."""
        self.summary.bindings.setdefault(name, []).append(held)
        self.summary.set_by_functions.add(name)

    def sequence_with(self, held: Type, value: Value) -> Value:
        """A list that now holds one more value."""
        known = held.parts[0]
        if isinstance(value, Type):
            return sequence_of(value if known is UNKNOWN else join_all((known, value)))
        return self.variable(Op.SEQUENCE, None, "", [value] if known is UNKNOWN else [known, value])

    def assign(self, node: ast.Assign) -> None:
        if self.body and _holds_types_to_test(node, self.body):
            self.context = TYPE_CHECK
            value = self.evaluate(node.value)
            self.context = PLAIN
        else:
            value = self.evaluate(node.value)
        for target in node.targets:
            if is_kind_of_tensors(target, node.value, value, self.body):
                self.summary.results[node.value] = RESULT_CHOSEN
            if isinstance(target, ast.Name):
                self.bind(target, value)
                self.note_name(target, node.value)
                if isinstance(node.value, ast.Call) and self.is_among(target.id, selecting_names):
                    self.summary.results[node.value] = RESULT_INDEX
                    if gives_bytes(node.value):
                        self.summary.selecting.add((self.scope, target.id))
                if is_type_of(node.value):
                    self.types_of_values.add(target.id)
                else:
                    self.types_of_values.discard(target.id)
                if target.id == "__all__":
                    self.exported(node.value)
                if target.id in self.global_names:
                    self.summary.bindings.setdefault(target.id, []).append(value)
                    self.summary.set_by_functions.add(target.id)
            else:
                if isinstance(target, ast.Subscript):
                    self.summary.stored[target] = node.value, value
                if isinstance(target, (ast.Tuple, ast.List)):
                    self.summary.results[node.value] = RESULT_UNPACKED
                    if isinstance(node.value, ast.Tuple):
                        self.bind_pairwise(target, node.value, value)
                        continue
                self.bind(target, value)

    def note_name(self, target: ast.expr, held: ast.expr) -> None:
        known = self.summary.from_end
        selected = origin(held)
        if isinstance(selected, ast.Subscript) and isinstance(target, ast.Name):
            self.summary.named[selected] = target.id
        elif isinstance(target, ast.Name) and may_give_mask(held) and self.is_among(target.id, counted_names):
            self.summary.counted.add(held)
        elif isinstance(target, ast.Name) and may_count_from_end(
            held, lambda name: (self.scope, name) in known
        ):
            known.add((self.scope, target.id))
        of_one = self.summary.of_one
        if isinstance(target, ast.Name) and has_one_element(held, lambda name: (self.scope, name) in of_one):
            of_one.add((self.scope, target.id))
        if isinstance(target, ast.Name) and may_come_to_nothing(held):
            self.summary.filled.add((self.scope, target.id))

    def note_row(self, target: ast.expr, iterated: ast.expr) -> None:
        if isinstance(target, ast.Name) and gives_rows(iterated):
            self.summary.rows.add((self.scope, target.id))

    def exported(self, node: ast.expr) -> None:
        """Names in `__all__` are used, though only as text."""
        for part in every_node(node):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                self.summary.names.add(part.value)

    def bind_pairwise(self, target: ast.Tuple | ast.List, source: ast.Tuple, value: Value) -> None:
        """`a, b = x, y`: the parts are known one by one."""
        if len(target.elts) == len(source.elts):
            for one, node in zip(target.elts, source.elts, strict=True):
                self.note_name(one, node)
        starred = any(isinstance(part, ast.Starred) for part in (*target.elts, *source.elts))
        if isinstance(value, Variable) and value.op is Op.SEQUENCE and not starred:
            parts: list[Value] = value.detail
            if len(parts) == len(target.elts):
                for part, held in zip(target.elts, parts, strict=True):
                    self.bind(part, held)
                return
        self.bind(target, value)

    def bind(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self.environment[target.id] = value
            self.forget_attributes(target.id)
        elif isinstance(target, (ast.Tuple, ast.List)):
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
                    part = (
                        sequence_of(part)
                        if isinstance(part, Type)
                        else self.variable(Op.SEQUENCE, None, "", [part])
                    )
                elif isinstance(value, Variable) or value.tag is Tag.TUPLE:
                    after_star = any(isinstance(before, ast.Starred) for before in targets[:index])
                    part = self.item_at(value, index - count if after_star else index)
            elif isinstance(value, Variable):
                part = self.variable(Op.UNPACK, value, "", (index, count))
            else:
                known = algebra.unpacked(value, index, count)
                part = known if not is_vague(known) else self.variable(Op.UNPACK, value, "", (index, count))
            self.bind(target, part)

    def item_at(self, value: Value, index: int) -> Value:
        """`value[index]` for a constant index that the user does not write."""
        if isinstance(value, Variable):
            return self.variable(Op.ITEM, value, "", (index, OTHER))
        return algebra.item(value, index, OTHER)

    def store_attribute(self, target: ast.Attribute, value: Value) -> None:
        base = self.base_value(target.value)
        name = target.attr
        self.summary.results[target] = RESULT_ASSIGNED
        is_of_others = isinstance(base, Variable) or base.tag in (Tag.OTHER, Tag.EXTERNAL_VALUE)
        if is_of_others or self.takes_place(base, name, value):
            self.keep_attribute(target, value)
        if isinstance(base, Variable):
            self.use(base, "=" + name)
            if may_be_member(base, name):
                self.site(SiteForm.MEMBER, target, name, base)
            return
        self.attribute_assigned(base, name, value)
        is_of_cells = base.tag is Tag.PROJECT_INSTANCE and (name in TAKEN or name in CALLED_BY_TORCH)
        if base.tag in (Tag.TENSOR, Tag.INSTANCE, Tag.UNION) or is_of_cells:
            self.site(SiteForm.MEMBER, target, name, base)
        elif base.tag is Tag.TORCH_MODULE:
            reference = torch_model.reference(f"{base.name}.{name}")
            self.site(SiteForm.NAME, target, f"{base.name}.{name}", reference.type)

    def takes_place(self, base: Value, name: str, value: Value) -> bool:
        """Whether a tensor takes the place of an array in an attribute, which is either for the object as a whole:
        `self.labels = torch.tensor(self.labels)`."""
        if not isinstance(base, Type) or base.tag is not Tag.PROJECT_INSTANCE:
            return False
        is_tensor = isinstance(value, Type) and value.tag is Tag.TENSOR and value.level == PROVED
        before = self.record_of(base.name).attributes.get(name, ())
        return is_tensor and any(isinstance(one, Variable) or one.tag is Tag.NDARRAY for one in before)

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
            elif held is None and self.is_of_module(holder.id):
                self.kept_by_module(holder.id, self.variable(Op.DICT, None, "", [value]))
        elif isinstance(holder, ast.Attribute):
            base = self.quiet(holder.value)
            is_of_project = isinstance(base, Type) and base.tag is Tag.PROJECT_INSTANCE
            if is_of_project and holder.attr not in torch_model.DICTIONARIES_OF_MODULES:
                self.attribute_assigned(base, holder.attr, self.variable(Op.STORED, value))
                if isinstance(target.slice, ast.Constant) and isinstance(target.slice.value, str):
                    self.attribute_assigned(base, kept_item(holder.attr, target.slice.value), value)

    def annotated_assign(self, node: ast.AnnAssign) -> None:
        declared = self.annotation(node.annotation)
        value = self.evaluate(node.value) if node.value is not None else None
        chosen = (
            value
            if value is not None and (declared is None or self.is_more_exact(value, declared))
            else declared
        )
        if chosen is None:
            return
        record = self.class_record
        if (
            self.is_class_body
            and isinstance(node.target, ast.Name)
            and record is not None
            and declared is not None
        ):
            record.annotations[node.target.id] = declared
            record.attributes.setdefault(node.target.id, []).append(declared)
            return
        self.bind(node.target, chosen)

    @staticmethod
    def is_more_exact(value: Value, declared: Value) -> bool:
        """Whether the assigned value says more than the declaration."""
        return isinstance(value, Type) and value.tag not in (
            Tag.UNKNOWN,
            Tag.NONE,
            Tag.SEQUENCE,
            Tag.DICT,
            Tag.OTHER,
        )

    def augmented_assign(self, node: ast.AugAssign) -> None:
        value = self.evaluate(node.value)
        target = node.target
        name = OPERATORS[node.op.__class__].replace("__", "__i", 1)
        if isinstance(target, ast.Name):
            if target.id == "__all__":
                self.exported(node.value)
            before = self.lookup(target.id)
            self.environment[target.id] = self.operation(node, name, before, value)
            return
        if isinstance(target, ast.Attribute):
            before = self.attribute(target)
            self.summary.results[target] = RESULT_ASSIGNED
            result = self.operation(node, name, before, value)
            base = self.quiet(target.value)
            self.attribute_assigned(base, target.attr, result)
        else:
            before = self.subscript(target)
            self.operation(node, name, before, value)

    def is_among(self, name: str, find: FindNames) -> bool:
        """Whether a name is among those that `find` finds in the function at hand."""
        body, found = self.of_bodies.get(find, (None, frozenset()))
        if body is not self.body:
            found = find(self.body)
            self.of_bodies[find] = (self.body, found)
        return name in found


def _holds_types_to_test(node: ast.Assign, body: Sequence[ast.stmt]) -> bool:
    """Whether a tuple of classes gets a name that a function only tests types with: `isinstance(m, layers)`."""
    target, value = node.targets[0], node.value
    if (
        len(node.targets) > 1
        or not isinstance(target, ast.Name)
        or not isinstance(value, (ast.Tuple, ast.List))
    ):
        return False
    if not value.elts or not all(isinstance(one, (ast.Name, ast.Attribute)) for one in value.elts):
        return False
    reads, tests = 0, 0
    for statement in body:
        for one in every_node(statement):
            if isinstance(one, ast.Name) and one.id == target.id and isinstance(one.ctx, ast.Load):
                reads += 1
            elif isinstance(one, ast.Call) and len(one.args) == 2 and isinstance(one.func, ast.Name):
                tested = one.args[1]
                is_test = one.func.id in ("isinstance", "issubclass")
                tests += is_test and isinstance(tested, ast.Name) and tested.id == target.id
    return 0 < reads == tests
