"""What a walk over one unit leaves behind: variables for values not known inside the unit, the places where torch may
be used, and what the unit defines. Plain records without behaviour; they refer to other units by name only."""

from __future__ import annotations

import ast
import enum
from typing import Any

from mindport.usage.types import UNKNOWN, Type


class Op(enum.Enum):
    """How the value of a variable comes about."""

    PARAMETER = enum.auto()  # `detail` is the Parameter
    GLOBAL = enum.auto()  # the module-level name `name` of the module `detail`, whenever it is read
    REACHING = enum.auto()  # the same name as it is where the unit that reads it begins
    LATER = enum.auto()  # the same name there or further down: what a function reads that is defined there
    ATTRIBUTE = enum.auto()  # `base`.`name`
    CALL = enum.auto()  # `base`(...); `detail` is (positional values, {keyword: value})
    ELEMENT = enum.auto()  # one of the items of `base`
    ITEM = enum.auto()  # `base`[...]; `detail` is the Index
    UNPACK = enum.auto()  # part number `detail` of `base`
    BINARY = enum.auto()  # an arithmetic or comparing operator on `base` and `detail`; `name` is the method
    JOIN = enum.auto()  # `base`, or one of the values in `detail`
    SEQUENCE = (
        enum.auto()
    )  # a list or tuple of the values in `detail`; `name` is "tuple" where the length is fixed
    DICT = enum.auto()  # a dictionary with the values in `detail`
    STORED = enum.auto()  # a container that is known otherwise, after `base` was stored in it
    LOOP = enum.auto()  # `base` at first, `detail` (a list with one value, filled later) after a round
    ANNOTATION = enum.auto()  # an instance of the class that is the value of `base`; else `detail`, if any
    IMPORT = enum.auto()  # a name of the project imported inside a function; `detail` is the ImportRecord
    EXCEPT = enum.auto()  # `base` where it is known to have none of the tags in `detail`
    ONLY = enum.auto()  # `base` where it is known to have one of the tags detail[0], like detail[1]
    KEPT = (
        enum.auto()
    )  # `base`, an attribute, for which an object of no class of the project was given `detail`

    __hash__ = object.__hash__


class Variable:
    """A value that the unit alone does not tell. `uses` collects what is done with it, `passed` the calls it is an
    argument of, and `origin` is the variable that shares its evidence (`x` for `x * 2`)."""

    __slots__ = ("base", "detail", "name", "op", "origin", "passed", "unit", "uses")

    def __init__(self, op: Op, base: Value | None, name: str = "", detail: Any = None) -> None:
        self.op = op
        self.base: Value = UNKNOWN if base is None else base
        self.name = name
        self.detail = detail
        self.origin: Variable = self
        self.unit: UnitSummary | None = None  # None for names that the project asks other files for
        self.uses: set[str] | None = None
        self.passed: list[tuple[Value, int | str]] | None = None

    def note(self, use: str) -> None:
        """Add one use."""
        if self.uses is None:
            self.uses = {use}
        else:
            self.uses.add(use)

    def hand_to(self, callee: Value, place: int | str) -> None:
        """Add one call that the value is an argument of: `place` is a position or a keyword."""
        for one in {self, self.origin}:
            if one.passed is None:
                one.passed = [(callee, place)]
            else:
                one.passed.append((callee, place))

    def __repr__(self) -> str:
        return f"<{self.op.name.lower()} {self.base!r} {self.name}>"


Value = Type | Variable

MODULE_LEVEL_NAMES = (Op.GLOBAL, Op.REACHING, Op.LATER)


class Index(enum.Enum):
    """The style of a subscript where it is no constant."""

    SLICE = "slice"
    TENSOR_LIKE = "tensor-like"  # x[:, 0], x[..., 1], x[None]
    OTHER = "other"


class ParameterRecord:
    """One parameter of a function: what its author says of it."""

    __slots__ = ("annotation", "default", "kind", "name", "owner", "position", "variable")

    def __init__(
        self, owner: str, name: str, position: int, kind: int, annotation: Value | None, default: Value | None
    ) -> None:
        self.owner = owner  # the key of its function
        self.name = name
        self.position = position  # among the positional ones, without self
        self.kind = kind  # 0 normal, 1 *args, 2 **kwargs
        self.annotation = annotation
        self.default = default
        self.variable: Value | None = None


class FunctionRecord:
    """A function or lambda: its parameters and what it returns."""

    __slots__ = (
        "class_key", "decorators", "hands_on", "is_abstract", "is_accessor", "is_class_method", "is_generator",
        "is_property", "is_static", "key", "name",
        "parameters", "return_annotation", "returns",
    )  # fmt: skip

    def __init__(self, key: str, name: str, class_key: str) -> None:
        self.key = key
        self.name = name
        self.class_key = class_key
        self.parameters: dict[str, ParameterRecord] = {}
        self.returns: list[Value] = []
        self.return_annotation: Value | None = None
        self.is_property = False
        self.is_accessor = False  # the setter or deleter of a property
        self.is_static = False
        self.is_class_method = False
        self.is_generator = False
        self.is_abstract = False  # a method that says nothing: those of subclasses take its place
        self.hands_on = False  # whether it calls the method of that name that it takes the place of
        self.decorators: list[Value] = []


class ClassRecord:
    """A class as one unit shows it: methods of a class in a unit of their own come as separate functions."""

    __slots__ = ("annotations", "attributes", "bases", "is_dataclass", "key", "name", "reads")

    def __init__(self, key: str, name: str) -> None:
        self.key = key
        self.name = name
        self.bases: list[Value] = []
        self.attributes: dict[str, list[Value]] = {}  # class level and `self.x = ...`
        self.reads: dict[str, Variable] = {}  # `self.x`, with what the unit does with it
        self.annotations: dict[str, Value] = {}
        self.is_dataclass = False


class SiteForm(enum.Enum):
    """What kind of place a site is."""

    NAME = enum.auto()  # `value` is what the name refers to; `name` its dotted torch name
    MEMBER = enum.auto()  # attribute of `value`
    OPERATOR = enum.auto()  # `value` and `other` are the operands
    INDEX = enum.auto()
    FORMAT = enum.auto()  # `value` in a text, by the format of numbers with the letter `name`
    SIZES = enum.auto()  # `value`, given alone to `other`, which may be a class of tensors
    GETATTR = enum.auto()  # getattr(value, <not literal>)
    OVERRIDE = enum.auto()  # a method defined in a class
    NAMED_ARGUMENTS = enum.auto()  # a call of `value` that passes arguments by name
    TYPE_OF = enum.auto()  # `type(value)`, or `value.__class__`
    OF_ELEMENTS = enum.auto()  # `np.sqrt(value)`, `np.power(other, value)`


class Site:
    """A place where torch may be used."""

    __slots__ = (
        "call", "context", "field", "form", "guarded", "inside_string", "name", "node", "other", "quoted_in", "scope",
        "value", "values",
    )  # fmt: skip

    def __init__(
        self, form: SiteForm, node: ast.AST, name: str, value: Value, call: ast.Call | None, context: int, scope: str,
        guarded: bool,
    ) -> None:  # fmt: skip
        self.form = form
        self.node = node
        self.name = name
        self.value = value
        self.call = call
        self.context = context
        self.scope = scope
        self.guarded = guarded
        self.values: dict[ast.expr, Value] | None = None  # of the call's arguments
        self.other: Value | None = None
        self.inside_string = False
        self.quoted_in: ast.Constant | None = None
        self.field: tuple[ast.JoinedStr, int] | None = None  # of a format in an f-string: which of its fields


# Site.context: where an expression stands, as far as it decides the form of the use.
PLAIN, BASE, DECORATOR, WITH, ANNOTATION, TYPE_CHECK = range(6)


class ImportRecord:
    """One alias of an import statement anywhere in the unit."""

    __slots__ = ("alias", "at_module_level", "guarded", "level", "local", "module", "name", "node", "scope")

    def __init__(
        self, node: ast.Import | ast.ImportFrom, alias: ast.alias, local: str, module: str, name: str, level: int,
        scope: str, guarded: bool, at_module_level: bool,
    ) -> None:  # fmt: skip
        self.node = node
        self.alias = alias
        self.local = local
        self.module = module
        self.name = name  # empty for `import module`
        self.level = level
        self.scope = scope
        self.guarded = guarded
        self.at_module_level = at_module_level


class UnitSummary:
    """Everything that one unit says, found by one walk."""

    __slots__ = (
        "bindings",
        "call_nodes",
        "calls",
        "changed",
        "changed_parts",
        "classes",
        "counted",
        "filled",
        "from_end",
        "functions",
        "handed_on",
        "imports",
        "named",
        "names",
        "of_one",
        "path",
        "results",
        "rows",
        "selecting",
        "set_by_functions",
        "sites",
        "stored",
        "variables",
    )

    def __init__(self) -> None:
        self.path = ""
        self.sites: list[Site] = []
        self.functions: list[FunctionRecord] = []
        self.classes: dict[str, ClassRecord] = {}
        self.bindings: dict[str, list[Value]] = {}  # module-level names
        self.set_by_functions: set[str] = set()  # those that a function declares `global` and assigns
        self.imports: list[ImportRecord] = []
        self.calls: list[Variable] = []  # calls of what may be a function of the project
        self.call_nodes: list[ast.Call] = []  # where each of these calls stands
        self.variables: list[Variable] = []
        self.names: set[str] = set()  # every name that is read
        # `x[i]`, or the scope and the name of a variable, that is returned or given to what may be of the project
        self.handed_on: set[ast.AST | tuple[str, str]] = set()
        self.changed: set[tuple[str, str]] = (
            set()
        )  # the scopes and names of variables that a helper writes to
        self.changed_parts: set[ast.AST] = set()  # `x[i]` that a helper writes to
        self.counted: set[ast.AST] = set()  # `x > 0` whose variable is computed with more than once
        # The scopes and names of variables with numbers that may count from the end.
        self.from_end: set[tuple[str, str]] = set()
        # Those of variables that hold one element of each of several, `for pair in zip(rows, columns)`.
        self.rows: set[tuple[str, str]] = set()
        # Those of variables that hold a tensor with one axis of one element.
        self.of_one: set[tuple[str, str]] = set()
        # Those of variables that hold a list in which there may be nothing.
        self.filled: set[tuple[str, str]] = set()
        # Those of variables that hold bytes of a mask and only select elements.
        self.selecting: set[tuple[str, str]] = set()
        self.named: dict[ast.AST, str] = {}  # `x[i]` -> the variable that holds it, or what is computed of it
        self.stored: dict[ast.AST, tuple[ast.expr, Value]] = {}  # `x[i]` -> what is assigned to it
        self.results: dict[ast.AST, int] = {}  # expression -> place in ResultUse, where the parent tells


def kept_item(attribute: str, key: str) -> str:
    """The name among the attributes of a class for what one of them keeps under a key."""
    return f"{attribute}[{key!r}]"
