"""Evaluates expressions of one unit to values, in one walk that also writes down every place where torch may be used.

Nothing outside the unit but the file's imports is consulted: what is not known here becomes a `Variable`."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from mindport.usage import algebra, python_model, torch_model
from mindport.usage.header import ImportTable, library_of_name
from mindport.usage.types import (
    BOOL,
    BYTES,
    FLOAT,
    INT,
    NONE,
    NUMBER,
    OTHER,
    SET,
    STR,
    UNKNOWN,
    UNKNOWN_DICT,
    UNKNOWN_SEQUENCE,
    Tag,
    Type,
    dict_of,
    join_all,
    make,
    sequence_of,
    tuple_of,
    with_payload,
)
from mindport.usage.variables import (
    PLAIN,
    ClassRecord,
    FunctionRecord,
    Index,
    Op,
    Parameter,
    Site,
    SiteForm,
    UnitSummary,
    Value,
    Variable,
)

Environment = dict[str, Value]

_CONSTANTS: dict[type, Type] = {
    str: STR, int: INT, float: FLOAT, bool: BOOL, bytes: BYTES, type(None): NONE, complex: NUMBER, type(...): OTHER,
}  # fmt: skip
OPERATORS: dict[type, str] = {
    ast.Add: "__add__", ast.Sub: "__sub__", ast.Mult: "__mul__", ast.Div: "__truediv__", ast.FloorDiv: "__floordiv__",
    ast.Mod: "__mod__", ast.Pow: "__pow__", ast.MatMult: "__matmul__", ast.BitAnd: "__and__", ast.BitOr: "__or__",
    ast.BitXor: "__xor__", ast.LShift: "__lshift__", ast.RShift: "__rshift__", ast.Invert: "__invert__",
    ast.USub: "__neg__", ast.UAdd: "__pos__", ast.Eq: "__eq__", ast.NotEq: "__ne__", ast.Lt: "__lt__",
    ast.LtE: "__le__", ast.Gt: "__gt__", ast.GtE: "__ge__",
}  # fmt: skip
# Places in ResultUse, as small numbers because they are written often.
RESULT_DISCARDED, RESULT_UNPACKED, RESULT_INDEXED, RESULT_ATTRIBUTE = range(4)

_TENSOR = Tag.TENSOR
_TORCH_MODULE = Tag.TORCH_MODULE
_PROJECT_INSTANCE = Tag.PROJECT_INSTANCE
_NAMES_A_LIBRARY = (Tag.CLASS, Tag.FUNCTION, Tag.TORCH_MODULE)


class ExpressionWalker:
    """The state of one walk, and the evaluation of expressions. Statements are in the subclass."""

    def __init__(self, table: ImportTable, module_name: str) -> None:
        self.table = table
        self.module_name = module_name
        self.begin()
        self.evaluators: dict[type, Callable[[Any], Value]] = {
            ast.Name: self.name,
            ast.Attribute: self.attribute,
            ast.Call: self.call,
            ast.Constant: self.constant,
            ast.BinOp: self.binary,
            ast.UnaryOp: self.unary,
            ast.Compare: self.compare,
            ast.BoolOp: self.boolean,
            ast.Subscript: self.subscript,
            ast.Tuple: self.tuple_display,
            ast.List: self.list_display,
            ast.Set: self.set_display,
            ast.Dict: self.dict_display,
            ast.IfExp: self.conditional,
            ast.ListComp: self.sequence_comprehension,
            ast.GeneratorExp: self.sequence_comprehension,
            ast.SetComp: self.sequence_comprehension,
            ast.DictComp: self.dict_comprehension,
            ast.Lambda: self.lambda_function,
            ast.JoinedStr: self.joined_string,
            ast.FormattedValue: self.formatted,
            ast.Starred: self.starred,
            ast.NamedExpr: self.named,
            ast.Await: self.awaited,
            ast.Yield: self.yielded,
            ast.YieldFrom: self.yielded_from,
            ast.Slice: self.slice_bounds,
        }

    def begin(self) -> None:
        """The state at the beginning of a unit."""
        self.summary = UnitSummary()
        self.environment: Environment = {}
        self.outer: tuple[Environment, ...] = ()
        self.class_record: ClassRecord | None = None
        self.function: FunctionRecord | None = None
        self.scope = ""
        self.guarded = False
        self.context = PLAIN
        self.is_class_body = False
        self.instance: Value = UNKNOWN  # what the first parameter of the method at hand holds
        self.local_imports: dict[str, str] = {}  # names that imports inside functions bind
        self.globals: dict[str, Variable] = {}
        self.attributes: dict[tuple[Value, str], Variable] = {}

    # -- variables and sites

    def variable(self, op: Op, base: Value | None, name: str = "", detail: Any = None) -> Variable:
        """A new variable, known to the unit's summary."""
        made = Variable(op, base, name, detail)
        made.unit = self.summary
        self.summary.variables.append(made)
        return made

    def site(self, form: SiteForm, node: ast.AST, name: str, value: Value, call: ast.Call | None = None) -> Site:
        """Write down a place where torch may be used."""
        made = Site(form, node, name, value, call, self.context, self.scope, self.guarded)
        self.summary.sites.append(made)
        return made

    def evaluate(self, node: ast.expr) -> Value:
        """The value of an expression."""
        return self.evaluators[node.__class__](node)

    def use(self, value: Value, what: str) -> None:
        """Note that something is done with a value, as evidence of what it is."""
        if isinstance(value, Variable):
            value.note(what)
            if value.origin is not value:
                value.origin.note(what)

    # -- names

    def lookup(self, name: str) -> Value:
        """What a name refers to here, without writing anything down."""
        found = self.environment.get(name)
        if found is not None:
            return found
        for scope in self.outer:
            found = scope.get(name)
            if found is not None:
                return found
        self.summary.names.add(name)
        imported = self.table.types.get(name)
        if imported is not None:
            return imported
        made = self.globals.get(name)
        if made is None:
            if name not in self.table.names:
                starred = self.table.starred(name)
                if starred is not None:
                    return starred
                if not self.table.has_project_star and name in python_model.BUILTINS:
                    return python_model.builtin(name)
            made = self.globals[name] = self.variable(Op.GLOBAL, None, name, self.module_name)
        return made

    def name(self, node: ast.Name, call: ast.Call | None = None) -> Value:
        identifier = node.id
        found = self.environment.get(identifier)
        if found is not None:
            if identifier in self.local_imports and isinstance(found, Type):
                self.site(SiteForm.NAME, node, self.local_imports[identifier], found, call)
            elif isinstance(found, Variable) and found.op is Op.IMPORT:
                self.site(SiteForm.NAME, node, identifier, found, call)
            return found
        found = self.lookup(identifier)
        if isinstance(found, Variable):
            if found.op is Op.GLOBAL or found.op is Op.IMPORT:
                self.site(SiteForm.NAME, node, identifier, found, call)
        elif found.tag is not Tag.BUILTIN:
            dotted = self.dotted_import(identifier, found)
            if dotted:
                self.site(SiteForm.NAME, node, dotted, found, call)
        return found

    def dotted_import(self, identifier: str, found: Value) -> str:
        """The dotted name that an import gave to the identifier; empty for any other name."""
        if found is self.table.types.get(identifier):
            return self.table.dotted.get(identifier, "")
        if identifier in self.local_imports:
            return self.local_imports[identifier]
        if isinstance(found, Type) and found.tag in (Tag.CLASS, Tag.FUNCTION) and self.table.starred(identifier) is found:
            return found.name
        return ""

    def base_value(self, node: ast.expr) -> Value:
        """The value before a dot: a Python module of torch is no use of its own there."""
        if isinstance(node, ast.Name):
            identifier = node.id
            found = self.environment.get(identifier)
            if found is None:
                found = self.lookup(identifier)
            if isinstance(found, Variable) or found.tag is Tag.TORCH_MODULE or found.tag is Tag.EXTERNAL:
                return found
            return self.name(node)
        if isinstance(node, ast.Attribute):
            return self.attribute(node, None, inner=True)
        return self.evaluate(node)

    def attribute(self, node: ast.Attribute, call: ast.Call | None = None, inner: bool = False) -> Value:
        name = node.attr
        base = self.base_value(node.value)
        if node.value.__class__ is ast.Call:
            self.summary.results[node.value] = RESULT_ATTRIBUTE
        if isinstance(base, Variable):
            return self.variable_attribute(node, base, name, call)
        tag = base.tag
        if tag is _PROJECT_INSTANCE:
            if name in torch_model.MEMBER_NAMES:
                self.site(SiteForm.MEMBER, node, name, base, call)
            return self.symbolic_attribute(base, name)
        if tag is _TENSOR:
            self.site(SiteForm.MEMBER, node, name, base, call)
            found = torch_model.member_value(base, name)
            return found if found is not UNKNOWN else self.symbolic_attribute(base, name)
        if tag is _TORCH_MODULE:
            reference = torch_model.reference(f"{base.name}.{name}")
            if not (inner and reference.type.tag is _TORCH_MODULE):
                self.site(SiteForm.NAME, node, f"{base.name}.{name}", reference.type, call)
            return reference.type
        if tag is Tag.EXTERNAL:
            dotted = f"{base.name}.{name}"
            if not inner and library_of_name(base.name):
                self.site(SiteForm.NAME, node, dotted, make(Tag.EXTERNAL, dotted), call)
            return python_model.external_member(base, name)
        if tag in (Tag.PROJECT_CLASS, Tag.SUPER, Tag.PROJECT_MODULE, Tag.PROJECT_FUNCTION):
            if name in torch_model.MEMBER_NAMES:
                self.site(SiteForm.MEMBER, node, name, base, call)
            return self.symbolic_attribute(base, name)
        if tag in (Tag.INSTANCE, Tag.CLASS, Tag.UNION, Tag.METHOD):
            self.site(SiteForm.MEMBER, node, name, base, call)
        result = algebra.attribute(base, name)
        return result if result is not UNKNOWN else self.symbolic_attribute(base, name)

    def variable_attribute(self, node: ast.Attribute, base: Variable, name: str, call: ast.Call | None) -> Value:
        """An attribute of a value that is not known here."""
        what = name + "()" if call is not None else name
        self.use(base, what)
        if name in torch_model.MEMBER_NAMES or base.op is Op.GLOBAL or base.op is Op.ATTRIBUTE:
            self.site(SiteForm.MEMBER, node, name, base, call)
        return self.symbolic_attribute(base, name)

    def symbolic_attribute(self, base: Value, name: str) -> Variable:
        """The variable for an attribute; the same one each time, so that evidence adds up."""
        key = (base, name)
        found = self.attributes.get(key)
        if found is None:
            found = self.attributes[key] = self.variable(Op.ATTRIBUTE, base, name)
            if isinstance(base, Variable) and name in torch_model.TENSOR_VALUED_ATTRIBUTES:
                found.origin = base.origin
        return found

    # -- calls

    def call(self, node: ast.Call) -> Value:
        callee_node = node.func
        sites = self.summary.sites
        before = len(sites)
        if isinstance(callee_node, ast.Attribute):
            callee = self.attribute(callee_node, node)
        elif isinstance(callee_node, ast.Name):
            callee = self.name(callee_node, node)
        else:
            callee = self.evaluate(callee_node)
        own_site = sites[-1] if len(sites) > before and sites[-1].node is callee_node else None
        context = self.context
        if context:
            self.context = PLAIN
        evaluators = self.evaluators
        values: dict[ast.expr, Value] = {}
        positional: list[Value] = []
        keywords: dict[str, Value] = {}
        for argument in node.args:
            value = values[argument] = evaluators[argument.__class__](argument)
            positional.append(value)
            if isinstance(value, Variable):
                passed = (callee, len(positional) - 1)
                if value.passed is None:
                    value.passed = [passed]
                else:
                    value.passed.append(passed)
        for keyword in node.keywords:
            value = values[keyword.value] = evaluators[keyword.value.__class__](keyword.value)
            if keyword.arg is None:
                self.use(value, "@mapping")
                continue
            keywords[keyword.arg] = value
            if isinstance(value, Variable):
                if value.passed is None:
                    value.passed = [(callee, keyword.arg)]
                else:
                    value.passed.append((callee, keyword.arg))
        if context:
            self.context = context
        if own_site is not None:
            own_site.values = values
        if isinstance(callee, Variable):
            return self.variable_call(callee, positional, keywords)
        return self.known_call(node, callee, positional, keywords)

    def variable_call(self, callee: Variable, positional: list[Value], keywords: dict[str, Value]) -> Variable:
        """The result of calling something that is not known here."""
        if callee.op is not Op.GLOBAL:
            self.use(callee, "@called")
        result = self.variable(Op.CALL, callee, "", (positional, keywords))
        base = callee.base
        if callee.op is Op.ATTRIBUTE and isinstance(base, Variable) and callee.name in torch_model.TENSOR_TO_TENSOR_METHODS:
            result.origin = base.origin
        self.summary.calls.append(result)
        return result

    def known_call(self, node: ast.Call, callee: Type, positional: list[Value], keywords: dict[str, Value]) -> Value:
        """The result of calling something known; a variable where it hangs on arguments that are not."""
        tag = callee.tag
        if tag is Tag.BUILTIN:
            special = self.builtin_call(node, callee.name, positional, keywords)
            if special is not None:
                return special
        elif tag in (Tag.PROJECT_FUNCTION, Tag.PROJECT_CLASS, Tag.PROJECT_INSTANCE):
            result = self.variable(Op.CALL, callee, "", (positional, keywords))
            self.summary.calls.append(result)
            return result
        elif tag is Tag.METHOD and callee.name.endswith("register_buffer") and len(node.args) > 1:
            pass
        needs = algebra.needed_arguments(callee)
        if needs:
            for value in positional:
                if isinstance(value, Variable):
                    return self.variable(Op.CALL, callee, "", (positional, keywords))
            for value in keywords.values():
                if isinstance(value, Variable):
                    return self.variable(Op.CALL, callee, "", (positional, keywords))
            known = algebra.call(callee, types_of(positional), {name: kind for name, kind in keywords.items() if isinstance(kind, Type)})
        else:
            known = algebra.call(callee, (), {})
        # What is not known gets a variable all the same, to collect evidence.
        return known if known is not UNKNOWN else self.variable(Op.CALL, callee, "", (positional, keywords))

    def builtin_call(
        self, node: ast.Call, name: str, positional: list[Value], keywords: dict[str, Value]
    ) -> Value | None:
        """Builtins that look at names or at the class around them."""
        if name == "super":
            return make(Tag.SUPER, self.class_record.key) if self.class_record is not None else UNKNOWN
        if name in ("getattr", "hasattr", "setattr") and len(node.args) >= 2:
            literal = node.args[1]
            base = positional[0]
            if isinstance(literal, ast.Constant) and isinstance(literal.value, str):
                if name == "hasattr":
                    return BOOL
                if name == "setattr":
                    self.attribute_assigned(base, literal.value, positional[2] if len(positional) > 2 else UNKNOWN)
                    return NONE
                if isinstance(base, Variable):
                    return self.symbolic_attribute(base, literal.value)
                if base.tag is _TORCH_MODULE:
                    reference = torch_model.reference(f"{base.name}.{literal.value}")
                    self.site(SiteForm.NAME, node, f"{base.name}.{literal.value}", reference.type)
                    return reference.type
                return self.symbolic_attribute(base, literal.value)
            if name == "getattr":
                self.site(SiteForm.GETATTR, node, "", base)
                return self.variable(Op.ATTRIBUTE, UNKNOWN, "")
            return BOOL if name == "hasattr" else NONE
        if name in ("len", "range", "int", "float", "str", "bool", "iter", "next") and positional:
            self.use(positional[0], f"@{name}")
        if name == "isinstance":
            return BOOL
        return None

    def attribute_assigned(self, base: Value, name: str, value: Value) -> None:
        """`base.name = value`: remembered where `base` is the instance or the class at hand."""
        if isinstance(base, Type) and base.tag in (_PROJECT_INSTANCE, Tag.PROJECT_CLASS):
            record = self.record_of(base.name)
            record.attributes.setdefault(name, []).append(value)

    def record_of(self, key: str) -> ClassRecord:
        """This unit's record of a class; a class spread over several units has one in each."""
        found = self.summary.classes.get(key)
        if found is None:
            found = self.summary.classes[key] = ClassRecord(key, key.rpartition(".")[2])
        return found

    # -- operators

    def constant(self, node: ast.Constant) -> Value:
        return _CONSTANTS[node.value.__class__]

    def operation(self, node: ast.AST, name: str, left: Value, right: Value | None) -> Value:
        """The result of an operator, with a site where an operand may be a tensor."""
        if isinstance(left, Variable) or isinstance(right, Variable):
            made = self.site(SiteForm.OPERATOR, node, name, left)
            made.other = right
            result = self.variable(Op.BINARY, left, name, right)
            if isinstance(left, Variable):
                result.origin = left.origin
                if name == "__matmul__":
                    self.use(left, "@matmul")
                if isinstance(right, Type) and right.tag is _TENSOR:
                    self.use(left, "@with_tensor")
            elif isinstance(right, Variable):
                result.origin = right.origin
                if left.tag is _TENSOR:
                    self.use(right, "@with_tensor")
            return result
        if left.tag is _TENSOR or (right is not None and right.tag is _TENSOR) or left.tag is Tag.UNION:
            made = self.site(SiteForm.OPERATOR, node, name, left)
            made.other = right
        return algebra.binary(name, left, right)

    def binary(self, node: ast.BinOp) -> Value:
        # The left spine of a long sum is walked without recursion.
        spine = [node]
        left = node.left
        while isinstance(left, ast.BinOp):
            spine.append(left)
            left = left.left
        evaluators = self.evaluators
        value = evaluators[left.__class__](left)
        for part in reversed(spine):
            right = evaluators[part.right.__class__](part.right)
            if isinstance(value, Type) and value.tag is Tag.STR:
                value = STR
                continue
            value = self.operation(part, OPERATORS[part.op.__class__], value, right)
        return value

    def unary(self, node: ast.UnaryOp) -> Value:
        value = self.evaluate(node.operand)
        if isinstance(node.op, ast.Not):
            return BOOL
        return self.operation(node, OPERATORS[node.op.__class__], value, None)

    def compare(self, node: ast.Compare) -> Value:
        evaluators = self.evaluators
        left = evaluators[node.left.__class__](node.left)
        result: Value = BOOL
        for op, comparator in zip(node.ops, node.comparators):
            right = evaluators[comparator.__class__](comparator)
            name = OPERATORS.get(op.__class__)
            if name is not None:
                if isinstance(right, Type) and right.tag is Tag.STR:
                    self.use(left, "@equals_text")
                    result = BOOL
                else:
                    result = self.operation(node, name, left, right)
            else:
                result = BOOL
                if isinstance(op, ast.In) or isinstance(op, ast.NotIn):
                    self.use(right, "@contains")
            left = right
        return result

    def boolean(self, node: ast.BoolOp) -> Value:
        values = [self.evaluate(value) for value in node.values]
        return self.joined(values)

    def joined(self, values: list[Value]) -> Value:
        """One of the values."""
        first = values[0]
        for value in values:
            if isinstance(value, Variable):
                distinct = list(dict.fromkeys(values))
                if len(distinct) == 1:
                    return first
                return self.variable(Op.JOIN, distinct[0], "", distinct[1:])
        return join_all(types_of(values))

    def conditional(self, node: ast.IfExp) -> Value:
        self.evaluate(node.test)
        before = self.environment
        self.environment = self.narrowed(node.test, True)
        body = self.evaluate(node.body)
        self.environment = before
        other_environment = self.narrowed(node.test, False)
        self.environment = other_environment
        other = self.evaluate(node.orelse)
        self.environment = before
        return self.joined([body, other])

    def narrowed(self, test: ast.expr, holds: bool) -> Environment:
        """The environment in which `test` holds, or does not; overridden where statements know more."""
        return self.environment

    # -- subscripts and containers

    def index_of(self, node: ast.expr) -> int | str | Index:
        """The style of a subscript, or its value where it is a plain constant."""
        if isinstance(node, ast.Constant):
            value = node.value
            if isinstance(value, (int, str)) and not isinstance(value, bool):
                return value
            return Index.TENSOR_LIKE if value is None or value is Ellipsis else Index.OTHER
        if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant) and isinstance(node.op, ast.USub):
            value = node.operand.value
            return -value if isinstance(value, int) else Index.OTHER
        if isinstance(node, ast.Slice):
            return Index.SLICE
        if isinstance(node, ast.Tuple):
            for element in node.elts:
                if isinstance(element, ast.Slice) or (
                    isinstance(element, ast.Constant) and (element.value is None or element.value is Ellipsis)
                ):
                    return Index.TENSOR_LIKE
        return Index.OTHER

    def subscript(self, node: ast.Subscript) -> Value:
        base = self.evaluate(node.value)
        if node.value.__class__ in (ast.Call, ast.Attribute):
            self.summary.results[node.value] = RESULT_INDEXED
        index = self.index_of(node.slice)
        index_value: Value = INT
        if isinstance(index, Index) or isinstance(index, str):
            index_value = self.evaluate(node.slice)
        return self.item(node, base, index, index_value)

    def item(self, node: ast.Subscript, base: Value, index: int | str | Index, index_value: Value) -> Value:
        """`base[index]`."""
        name = "__getitem__" if isinstance(node.ctx, ast.Load) else "__setitem__"
        if isinstance(base, Variable):
            if index is Index.TENSOR_LIKE:
                self.use(base, "@tensor_index")
            elif isinstance(index, str):
                self.use(base, "@text_index")
            if isinstance(index_value, Type) and index_value.tag is Tag.STR:
                self.use(base, "@text_index")
            self.site(SiteForm.INDEX, node, name, base)
            result = self.variable(Op.ITEM, base, "", (index, index_value))
            if index is Index.TENSOR_LIKE:
                result.origin = base.origin
            return result
        if base.tag in (_TENSOR, Tag.UNION, Tag.INSTANCE):
            self.site(SiteForm.INDEX, node, name, base)
        elif base.tag is _PROJECT_INSTANCE or base.tag is Tag.METHOD:
            return self.variable(Op.ITEM, base, "", (index, index_value))
        if isinstance(index_value, Variable) and base.tag is not _TENSOR:
            return self.variable(Op.ITEM, base, "", (index, index_value))
        found = algebra.item(base, index, index_value if isinstance(index_value, Type) else UNKNOWN)
        return found if found is not UNKNOWN else self.variable(Op.ITEM, base, "", (index, index_value))

    def slice_bounds(self, node: ast.Slice) -> Value:
        for part in (node.lower, node.upper, node.step):
            if part is not None:
                self.evaluate(part)
        return OTHER

    def collection(self, nodes: list[ast.expr], is_tuple: bool) -> Value:
        """A list or tuple display."""
        evaluators = self.evaluators
        values = [evaluators[node.__class__](node) for node in nodes]
        for node in nodes:
            if isinstance(node, ast.Starred):
                is_tuple = False
                break
        fixed = is_tuple or len(values) <= 4
        for value in values:
            if isinstance(value, Variable):
                return self.variable(Op.SEQUENCE, None, "tuple" if is_tuple else "", values)
        if is_tuple and fixed:
            return tuple_of(types_of(values))
        return sequence_of(join_all(types_of(values)) if values else UNKNOWN)

    def tuple_display(self, node: ast.Tuple) -> Value:
        return self.collection(node.elts, True)

    def list_display(self, node: ast.List) -> Value:
        return self.collection(node.elts, False)

    def set_display(self, node: ast.Set) -> Value:
        for element in node.elts:
            self.evaluate(element)
        return SET

    def dict_display(self, node: ast.Dict) -> Value:
        values = []
        for key, value in zip(node.keys, node.values):
            if key is not None:
                self.evaluate(key)
            values.append(self.evaluate(value))
        for made in values:
            if isinstance(made, Variable):
                return self.variable(Op.DICT, None, "", values)
        return dict_of(STR, join_all(types_of(values))) if values else UNKNOWN_DICT

    def starred(self, node: ast.Starred) -> Value:
        value = self.evaluate(node.value)
        self.use(value, "@starred")
        return self.element(value)

    def element(self, value: Value) -> Value:
        """One item of an iterable."""
        if isinstance(value, Variable):
            self.use(value, "@iterated")
            return self.variable(Op.ELEMENT, value)
        if value.tag is _PROJECT_INSTANCE:
            return self.variable(Op.ELEMENT, value)
        found = algebra.element(value)
        return found if found is not UNKNOWN else self.variable(Op.ELEMENT, value)

    # -- comprehensions and functions

    def generators(self, generators: list[ast.comprehension]) -> None:
        for generator in generators:
            self.bind(generator.target, self.element(self.evaluate(generator.iter)))
            for condition in generator.ifs:
                self.evaluate(condition)
                self.environment = self.narrowed(condition, True)

    def bind(self, target: ast.expr, value: Value) -> None:
        """Assign to a target; in the subclass."""
        raise TypeError("bind belongs to the statements")

    def sequence_comprehension(self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp) -> Value:
        before = self.environment
        self.environment = before.copy()
        self.generators(node.generators)
        value = self.evaluate(node.elt)
        self.environment = before
        if isinstance(value, Variable):
            return self.variable(Op.SEQUENCE, None, "", [value])
        return sequence_of(value)

    def dict_comprehension(self, node: ast.DictComp) -> Value:
        before = self.environment
        self.environment = before.copy()
        self.generators(node.generators)
        self.evaluate(node.key)
        value = self.evaluate(node.value)
        self.environment = before
        if isinstance(value, Variable):
            return self.variable(Op.DICT, None, "", [value])
        return dict_of(STR, value)

    def lambda_function(self, node: ast.Lambda) -> Value:
        record = FunctionRecord(f"{self.module_name}:{self.scope}.<lambda>{node.lineno}", "<lambda>", "")
        before, outer = self.environment, self.outer
        self.outer = (before, *outer)
        self.environment = {}
        self.lambda_parameters(node.args, record)
        record.returns.append(self.evaluate(node.body))
        self.environment, self.outer = before, outer
        return with_payload(Tag.PROJECT_FUNCTION, record.key, record)

    def lambda_parameters(self, arguments: ast.arguments, record: FunctionRecord) -> None:
        for position, argument in enumerate((*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)):
            parameter = Parameter(record.key, argument.arg, position, 0, None, None)
            parameter.variable = self.variable(Op.PARAMETER, None, argument.arg, parameter)
            record.parameters[argument.arg] = parameter
            self.environment[argument.arg] = parameter.variable
        for default in (*arguments.defaults, *arguments.kw_defaults):
            if default is not None:
                self.evaluate(default)
        if arguments.vararg is not None:
            self.environment[arguments.vararg.arg] = UNKNOWN_SEQUENCE
        if arguments.kwarg is not None:
            self.environment[arguments.kwarg.arg] = UNKNOWN_DICT

    def joined_string(self, node: ast.JoinedStr) -> Value:
        for part in node.values:
            if not isinstance(part, ast.Constant):
                self.evaluate(part)
        return STR

    def formatted(self, node: ast.FormattedValue) -> Value:
        before = len(self.summary.sites)
        self.evaluate(node.value)
        for made in self.summary.sites[before:]:
            made.inside_string = True
        if node.format_spec is not None:
            self.evaluate(node.format_spec)
        return STR

    def named(self, node: ast.NamedExpr) -> Value:
        value = self.evaluate(node.value)
        self.bind(node.target, value)
        return value

    def awaited(self, node: ast.Await) -> Value:
        return self.evaluate(node.value)

    def yielded(self, node: ast.Yield) -> Value:
        value = self.evaluate(node.value) if node.value is not None else NONE
        if self.function is not None:
            self.function.is_generator = True
            self.function.returns.append(value)
        return UNKNOWN

    def yielded_from(self, node: ast.YieldFrom) -> Value:
        value = self.element(self.evaluate(node.value))
        if self.function is not None:
            self.function.is_generator = True
            self.function.returns.append(value)
        return UNKNOWN


def types_of(values: list[Value]) -> list[Type]:
    """The values that are types; callers know that all are."""
    return [value for value in values if isinstance(value, Type)]
