"""What the code does with torch, without opinions: one `ApiUse` for every reference."""

from __future__ import annotations

import enum

import msgspec

from mindport.model.span import Span
from mindport.model.verdict import Confidence
from mindport.usage.mindspore_uses import MindSporeUse
from mindport.usage.places import CodePlace


class Form(enum.Enum):
    """How a name is referred to. The value is the word in the inventory."""

    IMPORT = "import"  # `import torch`, `from torch import nn`
    CALL = "call"  # torch.relu(x), nn.Conv2d(3, 8, 3)
    VALUE = "value"  # norm_layer=nn.BatchNorm2d, torch.float32
    BASE_CLASS = "base class"  # class Net(nn.Module)
    DECORATOR = "decorator"  # @torch.no_grad()
    CONTEXT = "context manager"  # with torch.no_grad():
    ANNOTATION = "annotation"  # x: torch.Tensor, also in quotes
    TYPE_CHECK = "type check"  # isinstance(m, nn.Conv2d), type(m) is nn.Conv2d, except LinAlgError
    METHOD = "method"  # x.view(2, 3)
    LAYER_CALL = "call of a layer"  # criterion(input=p, target=t), where arguments are passed by name
    ATTRIBUTE = "attribute"  # x.shape
    OPERATOR = "operator"  # x @ y, -x, x += y, x == y
    INDEX = "index"  # x[0], x[mask] = 1
    SIZES = (
        "sizes"  # tensor_class(x.size()), which makes a tensor of that shape, where any other tuple is data
    )
    FORMAT = "format"  # f"{x:.3f}", "{:.3f}".format(x): the argument of the use is the letter of the format
    OVERRIDE = "override"  # `def forward` in a Module: the method the framework calls
    CONFIG = "config"  # _target_: torch.optim.Adam in YAML
    DYNAMIC = "dynamic"  # getattr(torch.optim, name)


class Kind(enum.Enum):
    """The type of a value as far as it matters here; the closed set of the inference."""

    TENSOR = "tensor"
    MODULE = "module"
    OPTIMIZER = "optimizer"
    NUMBER = "number"  # int, float, bool or complex, not known which
    INT = "int"
    FLOAT = "float"
    BOOL = "bool"
    STR = "str"
    NONE = "none"
    SEQUENCE = "sequence"  # list or tuple
    NDARRAY = "ndarray"  # NumPy's, or one of its numbers
    DTYPE = "dtype"
    DEVICE = "device"
    CALLABLE = "callable"
    OTHER = "other"  # known, and none of these
    UNKNOWN = "unknown"


class TorchName(msgspec.Struct, frozen=True, tag=True):
    """A literal value that is itself a torch name, such as `dtype=torch.float32`."""

    name: str


Atom = bool | int | float | str | TorchName | None
LiteralValue = Atom | tuple[Atom | tuple[Atom, ...], ...]


class SeenArgument(msgspec.Struct, frozen=True):
    """What a run showed an argument to be: its kind, and all its values where they are few."""

    kind: Kind
    values: tuple[LiteralValue, ...] = ()


class Argument(msgspec.Struct, frozen=True):
    """One argument of a call, as written.

    `keyword` is None for a positional one; `star` is 1 for `*xs` and 2 for `**kw`. `is_literal` says whether `value`
    holds what the argument is (`None` may be a value). Lists are given as tuples."""

    span: Span  # the value's expression, without `name=` and stars
    keyword: str | None = None
    keyword_span: Span | None = None  # of `name`, where there is one
    star: int = 0
    kind: Kind = Kind.UNKNOWN
    is_literal: bool = False
    value: LiteralValue = None
    holds_tensors: bool | None = None  # whether there are tensors in a sequence, None where that is not known
    seen: SeenArgument | None = None
    is_seen: bool = False  # whether `value` is taken from a run, in a question of what would hold then

    def shifted(self, lines: int) -> Argument:
        """The same argument, further down."""
        keyword_span = self.keyword_span.shifted(lines) if self.keyword_span is not None else None
        return msgspec.structs.replace(self, span=self.span.shifted(lines), keyword_span=keyword_span)


class Call(msgspec.Struct, frozen=True):
    """The call that a use is the callee of: `span` covers callee and parentheses."""

    span: Span
    arguments: tuple[Argument, ...] = ()

    def shifted(self, lines: int) -> Call:
        """The same call, further down."""
        return Call(self.span.shifted(lines), tuple(argument.shifted(lines) for argument in self.arguments))


class ResultUse(enum.Enum):
    """What becomes of the value of the expression, as far as its parent shows."""

    DISCARDED = "discarded"  # an expression statement
    UNPACKED = "unpacked"  # a, b = ...
    INDEXED = "indexed"  # ...[0]
    ATTRIBUTE = "attribute"  # ....values
    WRITTEN = "written"  # x.data[0] = 1: of an attribute's value; of a tensor's in a method of a network
    ASSIGNED = "assigned"  # x.data = 1, x.data += 1: the attribute itself gets another value
    PARAMETER = "parameter"  # nn.Parameter(...), which requires gradients whatever it is made of does
    CHOSEN = "chosen"  # `a.b if x else c`, of a name that is not called there
    INDEX = "index"  # x[...], x[~..., 0], and m = ... where m only stands in such places
    OTHER = "other"


class ApiUse(msgspec.Struct, frozen=True):
    """One reference to torch, or to a library built on it.

    `api` is the canonical name: `torch.nn.functional.relu`, `torch.Tensor.view`, `torch.nn.Module.train`,
    `torch.nn.BatchNorm2d.momentum`; re-exports and aliases are resolved (`F.relu`, `nn.functional.relu`).
    A call of a layer that passes arguments by name is a use of its `forward`.
    `span` covers the whole expression (`x.view`, not its call), `name_span` the last name in it.
    `receiver` covers what is before the last dot of a method or attribute."""

    api: str
    form: Form
    span: Span
    name_span: Span
    confidence: Confidence = Confidence.PROVED
    call: Call | None = None
    receiver: Span | None = None
    result: ResultUse = ResultUse.OTHER
    guarded: bool = False  # in the torch branch of code already written for two frameworks
    library: str = ""  # "timm" when the name belongs to a library built on torch; empty for torch itself
    detail: str = ""  # for DYNAMIC and CONFIG: what the name depends on, or the text as written
    scope: str = ""  # qualified name of the enclosing function or class, for messages
    in_module: bool = False  # inside a class that derives from torch.nn.Module
    on_new_tensor: bool = False  # the receiver is made in this expression, so nothing else holds it
    for_optimizer: bool = False  # inside the arguments of an optimizer of torch
    signs: frozenset[str] = (
        frozenset()
    )  # what there are signs of somewhere in the project; "parameter", "mask", "former": of one
    is_outdated: bool = False  # the code around it has changed since it last parsed
    names: tuple[
        str, ...
    ] = ()  # for DYNAMIC: those of the module's that the project writes as strings, or a run showed
    seen: tuple[str, ...] = ()  # what a run showed of the values here, in words for people

    @property
    def runs_in_python(self) -> bool:
        """Whether the place is surely in no compiled graph, in graph mode, either: it runs when the module is loaded or
        when a network is built. What is only handed on there may be called elsewhere."""
        is_at_start = not self.scope or (self.in_module and self.scope.endswith(".__init__"))
        return is_at_start and self.form is not Form.VALUE

    @property
    def may_be_recorded(self) -> bool:
        """Whether the place is in a method of a network that may run while a gradient is recorded."""
        return self.in_module and not self.scope.endswith(".__init__")

    def shifted(self, lines: int) -> ApiUse:
        """The same use, further down."""
        return msgspec.structs.replace(
            self,
            span=self.span.shifted(lines),
            name_span=self.name_span.shifted(lines),
            receiver=self.receiver.shifted(lines) if self.receiver is not None else None,
            call=self.call.shifted(lines) if self.call is not None else None,
        )


class ImportBinding(msgspec.Struct, frozen=True):
    """One name that an import statement at module level binds, for writing and removing imports.

    `statement` covers the whole statement, `alias` the `name as other` part of it."""

    local: str
    module: str  # `torch.nn` in `from torch.nn import functional as F` and in `import torch.nn`
    name: str  # `functional`; empty for `import x`, `*` for a star
    statement: Span
    alias: Span
    used: bool = True  # whether the file refers to the local name (also in __all__ and strings)


class OwnAttribute(msgspec.Struct, frozen=True):
    """The name of an attribute of the project's own objects that Cell of MindSpore has, too; `holders` are the keys of
    the classes that may keep it, `path:Class`."""

    span: Span
    name: str
    holders: frozenset[str]

    def shifted(self, lines: int) -> OwnAttribute:
        """The same attribute, further down."""
        return msgspec.structs.replace(self, span=self.span.shifted(lines))


class StepSurroundings(msgspec.Struct, frozen=True):
    """What a project does beside the training steps of a file that has some."""

    replaces_weights: bool = False  # whether weights may get other memory
    freezes: bool = False  # whether parameters of an optimizer may be frozen, for a while or for good
    gradient_readers: frozenset[str] = frozenset()  # names of functions that read gradients which steps leave
    value_keepers: frozenset[str] = (
        frozenset()
    )  # names of functions that keep what they are given, or compute
    kept_readers: frozenset[str] = frozenset()  # names of functions that put together what others have kept
    graph_arguments: frozenset[str] = (
        frozenset()
    )  # `function:argument` that a caller gives what a network computed
    stepped_networks: frozenset[str] = (
        frozenset()
    )  # names of networks that optimizers take, see usage.stepped_networks


class ClassNames(msgspec.Struct, frozen=True):
    """The names of those classes of a file that are networks by what other files say, too."""

    networks: frozenset[str] = frozenset()
    own_modes: frozenset[str] = frozenset()  # that may meet a `train` of the project's own
    given_evaluated: frozenset[str] = frozenset()  # that may be given modules in evaluation mode


class FileUsage(msgspec.Struct, frozen=True):
    """Everything the layers above need to know of one file."""

    uses: tuple[ApiUse, ...]  # in order of `span.start`
    imports: tuple[ImportBinding, ...]
    module_names: frozenset[str]  # every name bound at module level, for choosing names of new imports
    unrecognised: int = 0  # how many of `uses` point into torch where no public name answers
    mindspore: tuple[MindSporeUse, ...] = ()  # in order of `span`
    places: tuple[CodePlace, ...] = ()  # in order of the units, and of `span` in each
    own_methods: frozenset[Span] = frozenset()  # `optimizer.step` where that is a method of the project's own
    beside_steps: StepSurroundings = StepSurroundings()
    own_attributes: tuple[OwnAttribute, ...] = ()  # with names of Cell's
    classes: ClassNames = ClassNames()
    python_modules: frozenset[str] = (
        frozenset()
    )  # Python's own that `import *` of the project's files gives it
