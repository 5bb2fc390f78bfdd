"""The state of a walk over one unit: what names hold, and what has been written down so far."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from mindport.usage import python_model, torch_model
from mindport.usage.header import ImportTable
from mindport.usage.names_of_cells import TAKEN
from mindport.usage.types import (
    UNKNOWN,
    Tag,
    Type,
    join_all,
)
from mindport.usage.variables import (
    MODULE_LEVEL_NAMES,
    PLAIN,
    ClassRecord,
    FunctionRecord,
    Op,
    Site,
    SiteForm,
    UnitSummary,
    Value,
    Variable,
)

_LOOKED_AT_AGAIN = (*MODULE_LEVEL_NAMES, Op.ATTRIBUTE)
_MAY_BE_LAYERS = (Op.ITEM, Op.ELEMENT, Op.UNPACK, Op.CALL, Op.PARAMETER, Op.JOIN)
Environment = dict[str, Value]

# Places in ResultUse, as small numbers because they are written often.
(
    RESULT_DISCARDED,
    RESULT_UNPACKED,
    RESULT_INDEXED,
    RESULT_ATTRIBUTE,
    RESULT_WRITTEN,
    RESULT_CHOSEN,
    RESULT_PARAMETER,
    RESULT_ASSIGNED,
    RESULT_INDEX,
) = range(9)


def may_be_member(base: Variable, name: str) -> bool:
    """Whether an attribute of a value that the unit does not tell is looked at again once the value is known."""
    if name in torch_model.MEMBER_NAMES or base.op in _LOOKED_AT_AGAIN or name in TAKEN:
        return True
    return name in torch_model.ASKED_OF_LAYERS and base.op in _MAY_BE_LAYERS


# Finds names in the body of a function.
FindNames = Callable[[Sequence[ast.stmt]], frozenset[str]]


class WalkState:
    """Names, variables and sites of one walk."""

    # Filled by the subclass that knows how to evaluate.
    evaluators: dict[type, Callable[[Any], Value]]

    def __init__(self, table: ImportTable, module_name: str) -> None:
        self.table = table
        self.module_name = module_name
        self.begin()

    def begin(self) -> None:
        """The state at the beginning of a unit."""
        self.summary = UnitSummary()
        self.environment: Environment = {}
        self.outer: tuple[Environment, ...] = ()
        self.keeping: set[str] = set()  # names of objects that were given attributes
        self.class_record: ClassRecord | None = None
        self.function: FunctionRecord | None = None
        self.body: list[ast.stmt] = []  # of that function
        self.of_bodies: dict[FindNames, tuple[list[ast.stmt], frozenset[str]]] = {}  # the last ones
        self.scope = ""
        self.guarded = False
        self.context = PLAIN
        self.is_class_body = False
        self.is_module_level = True
        self.global_names: set[str] = set()  # declared `global` in the unit
        self.nonlocal_names: set[str] = set()  # declared `nonlocal` in it
        self.instance: Value = UNKNOWN  # what the first parameter of the method at hand holds
        self.local_imports: dict[str, str] = {}  # names that imports inside functions bind
        self.types_of_values: set[str] = set()  # names that hold `type(m)` in the function at hand
        self.globals: dict[str, Variable] = {}
        self.rebound_names: dict[tuple[str, Op], Variable] = {}
        self.attributes: dict[tuple[Value, str], Variable] = {}

    # -- variables and sites

    def variable(self, op: Op, base: Value | None, name: str = "", detail: Any = None) -> Variable:
        """A new variable, known to the unit's summary."""
        made = Variable(op, base, name, detail)
        made.unit = self.summary
        self.summary.variables.append(made)
        return made

    def site(
        self, form: SiteForm, node: ast.AST, name: str, value: Value, call: ast.Call | None = None
    ) -> Site:
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
        if name in self.table.rebound:
            return self.rebound_name(name, Op.REACHING if self.runs_at_load() else Op.LATER)
        made = self.globals.get(name)
        if made is None and name in self.table.own:
            record = self.table.own[name]
            made = self.globals[name] = self.variable(
                Op.IMPORT, None, record.name, (self.module_name, record)
            )
        if made is None:
            if name not in self.table.names:
                starred = self.table.starred(name)
                if starred is not None and not self.table.covering(name):
                    return starred
                if name in python_model.LANGUAGE_WORDS or (
                    name in python_model.BUILTINS and not self.table.has_project_star
                ):
                    return python_model.builtin(name)
            made = self.globals[name] = self.variable(Op.GLOBAL, None, name, self.module_name)
        return made

    def runs_at_load(self) -> bool:
        """Whether the code at hand runs where it stands when its module is loaded: no function's body, no class's."""
        return self.is_module_level and not (self.is_class_body or self.function or self.outer)

    def rebound_name(self, name: str, op: Op) -> Variable:
        """What a name that several units of the module bind holds, as the operation says when."""
        made = self.rebound_names.get((name, op))
        if made is None:
            made = self.rebound_names[name, op] = self.variable(op, None, name, self.module_name)
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
        if (
            isinstance(found, Type)
            and found.tag in (Tag.CLASS, Tag.FUNCTION)
            and self.table.starred(identifier) is found
        ):
            return found.name
        return ""

    def joined(self, values: list[Value]) -> Value:
        """One of the values."""
        for value in values:
            if isinstance(value, Variable):
                distinct = list(dict.fromkeys(values))
                if len(distinct) == 1:
                    return value
                return self.variable(Op.JOIN, distinct[0], "", distinct[1:])
        return join_all(types_of(values))


def types_of(values: list[Value]) -> list[Type]:
    """The values that are types; callers know that all are."""
    return [value for value in values if isinstance(value, Type)]
