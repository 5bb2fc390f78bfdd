"""What expressions are worth while a gradient is followed: layers, functions, containers, and data with the operands
that it was computed from. Calls of the project's own functions wait until somebody asks for their result."""

from __future__ import annotations

import ast
from typing import Any

Conditions = frozenset[object]
ALWAYS: Conditions = frozenset()
# A condition that holds nowhere: marks what was taken for likely.
DOUBT = "doubt"
_MOST_CHOICES = 24


class TreePlace:
    """A place in a file: a node of a tree that was parsed `shift` lines from where it is now."""

    __slots__ = ("node", "path", "shift")

    def __init__(self, path: str, node: ast.AST, shift: int) -> None:
        self.path = path
        self.node = node
        self.shift = shift


class BodyRun:
    """One run of a body, called from `call` in the frame `caller`. `conditions` are those around the statement at hand
    whose outcome is not known, the caller's included."""

    __slots__ = (
        "call", "caller", "conditions", "is_compiled", "is_cut", "is_watched", "name", "names", "nested",
        "outer", "owner", "path", "receiver", "returned", "shift", "yielded",
    )  # fmt: skip

    def __init__(
        self,
        path: str,
        shift: int,
        name: str,
        outer: BodyRun | None,
        call: TreePlace | None,
        caller: BodyRun | None,
    ) -> None:
        self.path = path
        self.shift = shift
        self.name = name  # of what was called
        self.outer = outer  # the frame whose names a nested function sees
        self.call = call
        self.caller = caller
        self.names: dict[str, Value] = {}
        self.owner: ClassOf | None = None  # the class that the method belongs to, for super()
        self.receiver: Value | None = None
        self.returned: list[Value] = []
        self.yielded: list[Value] = []
        self.nested: list[FunctionOf] = []  # functions defined in it
        self.conditions: Conditions = ALWAYS if caller is None else caller.conditions
        self.is_compiled: bool = caller is not None and caller.is_compiled  # runs as a graph (`ms.jit`)
        self.is_cut = False  # inside `torch.no_grad()`
        self.is_watched = False  # leads to a call that differentiates


class Value:
    """Anything that an expression can be worth. `conditions` are those under which it was made."""

    __slots__ = ("conditions",)

    def __init__(self) -> None:
        self.conditions = ALWAYS


class Data(Value):
    """A tensor or anything else that was computed: from which operands, by what, and where.

    `api` is the dotted name of what computed it, or `.name` for a member of a tensor; empty where that is not known.
    `layer` is set where a layer did, `gradient` where a function that differentiates did. Data without a site and
    without operands is given from outside."""

    __slots__ = ("api", "frame", "gradient", "is_cut", "layer", "operands", "site")

    def __init__(
        self, operands: tuple[Value, ...] = (), api: str = "", site: TreePlace | None = None,
        frame: BodyRun | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.operands = operands
        self.api = api
        self.site = site
        self.frame = frame
        self.layer: Layer | None = None
        self.gradient: Differentiated | None = None
        self.is_cut = False  # no gradient goes through it
        if frame is not None:
            self.conditions = frame.conditions


class Constant(Value):
    """A number, a string, None, a truth value; `UNREAD` for a plain value that is not known, such as a size."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value


UNREAD = object()


class OutsideName(Value):
    """A name of a framework or of another package."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name


class Builtin(Value):
    """A function of Python itself."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name


class ModuleOf(Value):
    """A module of the project."""

    __slots__ = ("path",)

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path


class Layer(Value):
    """An instance of a framework's class, made at `site`. `items` are the layers that a container holds."""

    __slots__ = ("api", "arguments", "frame", "items", "site")

    def __init__(self, api: str, arguments: PassedValues, site: TreePlace, frame: BodyRun) -> None:
        super().__init__()
        self.api = api
        self.arguments = arguments
        self.site = site
        self.frame = frame
        self.items: Items | None = None
        self.conditions = frame.conditions


class ClassOf(Value):
    """A class of the project: its header, and the statements of its body with their shifts."""

    __slots__ = ("attributes", "bases", "body", "frame", "methods", "name", "node", "path", "shift")

    def __init__(self, node: ast.ClassDef, path: str, shift: int, frame: BodyRun) -> None:
        super().__init__()
        self.name = node.name
        self.node = node
        self.path = path
        self.shift = shift
        self.frame = frame  # that it was defined in
        self.body: list[tuple[ast.stmt, int]] = []
        self.methods: dict[str, FunctionOf] = {}
        self.attributes: dict[str, Value] | None = None  # of the class itself, once somebody asked
        self.bases: list[Value] | None = None


class OwnInstance(Value):
    """An instance of a class of the project. Its attributes are there once `__init__` was followed, which happens when
    the first of them is asked for. `arguments` is None where nobody was seen making it."""

    __slots__ = (
        "arguments",
        "attributes",
        "class_of",
        "frame",
        "inherited",
        "is_being_made",
        "is_made",
        "site",
    )

    def __init__(
        self, class_of: ClassOf, arguments: PassedValues | None, site: TreePlace | None, frame: BodyRun | None
    ) -> None:
        super().__init__()
        self.class_of = class_of
        self.arguments = arguments
        self.site = site
        self.frame = frame
        self.attributes: dict[str, Value] = {}
        self.is_made = False
        self.is_being_made = False
        self.inherited: Layer | None = (
            None  # what it is as an instance of the framework's class that it derives from
        )
        if frame is not None:
            self.conditions = frame.conditions


class FunctionOf(Value):
    """A function of the project, and the instance it is bound to."""

    __slots__ = ("frame", "node", "owner", "path", "receiver", "shift")

    def __init__(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda,
        path: str,
        shift: int,
        frame: BodyRun,
    ) -> None:
        super().__init__()
        self.node = node
        self.path = path
        self.shift = shift
        self.frame = frame  # that it was defined in
        self.owner: ClassOf | None = None
        self.receiver: Value | None = None

    def bound(self, receiver: Value) -> FunctionOf:
        """The same function as a method of the receiver."""
        made = FunctionOf(self.node, self.path, self.shift, self.frame)
        made.owner = self.owner
        made.receiver = receiver
        made.conditions = receiver.conditions
        return made

    @property
    def name(self) -> str:
        """As it is called in messages."""
        return "a lambda" if isinstance(self.node, ast.Lambda) else self.node.name


class PartialCall(Value):
    """A callable with some arguments put in."""

    __slots__ = ("arguments", "callee")

    def __init__(self, callee: Value, arguments: PassedValues) -> None:
        super().__init__()
        self.callee = callee
        self.arguments = arguments


class Compiled(Value):
    """A function or module that runs as a graph: `ms.jit(f)`."""

    __slots__ = ("callee",)

    def __init__(self, callee: Value) -> None:
        super().__init__()
        self.callee = callee


class UncalledMember(Value):
    """A member of data, a layer or a container, before it is known whether it is called."""

    __slots__ = ("frame", "name", "receiver", "site")

    def __init__(self, receiver: Value, name: str, site: TreePlace, frame: BodyRun) -> None:
        super().__init__()
        self.receiver = receiver
        self.name = name
        self.site = site
        self.frame = frame


class Parent(Value):
    """`super()` in a method of a class."""

    __slots__ = ("class_of", "instance")

    def __init__(self, class_of: ClassOf, instance: Value) -> None:
        super().__init__()
        self.class_of = class_of
        self.instance = instance


class Items(Value):
    """A list, tuple, set or dictionary; `keys` beside the values of a dictionary."""

    __slots__ = ("keys", "values")

    def __init__(self, values: list[Value], keys: list[Value] | None = None) -> None:
        super().__init__()
        self.values = values
        self.keys = keys


class Choice(Value):
    """One of several values."""

    __slots__ = ("values",)

    def __init__(self, values: list[Value]) -> None:
        super().__init__()
        self.values = values


class Weights(Value):
    """The parameters of a module of any kind."""

    __slots__ = ("module",)

    def __init__(self, module: Value) -> None:
        super().__init__()
        self.module = module


class Waiting(Value):
    """A call of the project's code whose result nobody has asked for yet."""

    __slots__ = ("arguments", "callee", "frame", "is_active", "is_compiled", "result", "site")

    def __init__(self, callee: FunctionOf, arguments: PassedValues, site: TreePlace, frame: BodyRun) -> None:
        super().__init__()
        self.callee = callee
        self.arguments = arguments
        self.site = site
        self.frame = frame
        self.is_compiled = frame.is_compiled
        self.result: Value | None = None
        self.is_active = False
        self.conditions = frame.conditions


class UnaskedItem(Value):
    """One item of a value that nobody has asked for yet."""

    __slots__ = ("base", "is_active", "key", "result")

    def __init__(self, base: Value, key: object) -> None:
        super().__init__()
        self.base = base
        self.key = key
        self.result: Value | None = None
        self.is_active = False


class GradientMaker(Value):
    """`ops.GradOperation(...)`: gives the gradient of the function that it is called with."""

    __slots__ = ("of_weights",)

    def __init__(self, of_weights: bool) -> None:
        super().__init__()
        self.of_weights = of_weights


class Gradient(Value):
    """A function that computes the gradient of `function`. `positions` are the arguments that it is taken for, None
    where it is for the weights. `is_compiled`: it runs as a graph."""

    __slots__ = (
        "frame", "function", "is_called", "is_compiled", "is_kept", "keeps_value", "name", "positions", "site",
    )  # fmt: skip

    def __init__(
        self, function: Value, name: str, positions: tuple[int, ...] | None, site: TreePlace, frame: BodyRun
    ) -> None:
        super().__init__()
        self.function = function
        self.name = name  # of what made it
        self.positions = positions
        self.site = site
        self.frame = frame
        self.keeps_value = False  # gives the value as well
        self.is_kept = False  # what it computes is differentiated again, wherever that is
        self.is_compiled = frame.is_compiled
        self.is_called = False
        self.conditions = frame.conditions


class Differentiated:
    """What a call of a `Gradient` did, beside its result."""

    __slots__ = ("arguments", "frame", "gradient", "is_compiled", "site")

    def __init__(self, gradient: Gradient, arguments: PassedValues, site: TreePlace, frame: BodyRun) -> None:
        self.gradient = gradient
        self.arguments = arguments
        self.site = site
        self.frame = frame
        self.is_compiled = gradient.is_compiled or frame.is_compiled


class PassedValues:
    """What a call passes. `rest` holds what `*xs` and `**kw` spread where their items are not known. `is_seen` is false
    where no call is seen at all: a framework calls, or somebody outside the project."""

    __slots__ = ("is_seen", "keywords", "positional", "rest")

    def __init__(
        self, positional: list[Value] | None = None, keywords: dict[str, Value] | None = None,
        rest: list[Value] | None = None,
    ) -> None:  # fmt: skip
        self.positional = positional or []
        self.keywords = keywords or {}
        self.rest = rest or []
        self.is_seen = True

    @classmethod
    def unseen(cls) -> PassedValues:
        """Those of a call that is not seen."""
        made = cls()
        made.is_seen = False
        return made

    def all(self) -> tuple[Value, ...]:
        """Every value that is passed."""
        return (*self.positional, *self.keywords.values(), *self.rest)

    def at(self, position: int, *names: str) -> Value | None:
        """The argument with this place or one of these names."""
        for name in names:
            if name in self.keywords:
                return self.keywords[name]
        return self.positional[position] if 0 <= position < len(self.positional) else None


def chosen(values: list[Value]) -> Value:
    """One of the values; the value itself where there is only one. Of very many some are forgotten."""
    parts = (part for value in values for part in (value.values if isinstance(value, Choice) else (value,)))
    distinct = list({id(part): part for part in parts}.values())
    return distinct[0] if len(distinct) == 1 else Choice(distinct[:_MOST_CHOICES])
