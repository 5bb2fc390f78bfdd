"""Makes the row of one site, once it is known which name of torch it stands for."""

from __future__ import annotations

import ast
import functools

import msgspec

from mindport.model.span import Span
from mindport.model.verdict import Confidence
from mindport.source.lines import LineIndex
from mindport.usage import torch_model
from mindport.usage.api_use import ApiUse, Call, Form, OwnAttribute, ResultUse
from mindport.usage.former_signatures import with_present_signature
from mindport.usage.gradient_flags import without_gradient_flag
from mindport.usage.header import ImportTable
from mindport.usage.resolve import Resolver
from mindport.usage.rows.arguments import CallArguments
from mindport.usage.types import Tag, make, members
from mindport.usage.variables import (
    ANNOTATION,
    BASE,
    DECORATOR,
    PLAIN,
    TYPE_CHECK,
    WITH,
    Site,
    UnitSummary,
    Value,
)

CONFIDENCES = (
    Confidence.GUESSED, Confidence.SEEN, Confidence.INFERRED, Confidence.ANNOTATED, Confidence.PROVED
)  # fmt: skip
_FORMS = {
    ANNOTATION: Form.ANNOTATION,
    BASE: Form.BASE_CLASS,
    DECORATOR: Form.DECORATOR,
    WITH: Form.CONTEXT,
    TYPE_CHECK: Form.TYPE_CHECK,
}
RESULTS = (
    ResultUse.DISCARDED,
    ResultUse.UNPACKED,
    ResultUse.INDEXED,
    ResultUse.ATTRIBUTE,
    ResultUse.WRITTEN,
    ResultUse.CHOSEN,
    ResultUse.PARAMETER,
    ResultUse.ASSIGNED,
    ResultUse.INDEX,
)
_OF_FORMER = frozenset({"former"})
# Python has one method for every comparison; the others are spelled as they are written.
OPERATORS_OF_TENSOR = frozenset(torch_model.members(torch_model.TENSOR_CLASS))
# What always gives a new tensor; `reshape`, `to` and `contiguous` may hand on the old one.
_FACTORIES = frozenset(
    (
        "zeros",
        "ones",
        "empty",
        "full",
        "eye",
        "arange",
        "linspace",
        "rand",
        "randn",
        "randint",
        "randperm",
        "clone",
    )
)
# What has a form that ends in `_` computes a new tensor; but these give a view, or may give the tensor itself.
_NOT_COMPUTED = frozenset(
    (
        *("as_strided", "conj_physical", "detach", "requires_grad", "resize", "resize_as"),
        *("squeeze", "swapaxes", "swapdims", "t", "transpose", "unsqueeze"),
    )
)
# Functions and methods without a form that ends in `_` that compute a tensor of their own, too.
_COMPUTED = frozenset(
    f"{owner}.{name}"
    for owner in ("torch", torch_model.TENSOR_CLASS, "torch.nn.functional")
    for name in (
        *("tensor", "cat", "stack", "where", "one_hot", "softmax", "log_softmax"),
        *("matmul", "mm", "bmm", "mv", "outer", "sum", "mean", "prod", "std", "var"),
    )
)


class RowMaker(CallArguments):
    """Makes rows of one file."""

    def __init__(
        self, resolver: Resolver, index: LineIndex, table: ImportTable, *, signs: frozenset[str] = frozenset()
    ) -> None:
        super().__init__(resolver, index, table)
        self.signs = signs
        self.unrecognised = 0
        self.placed: dict[ast.AST, ApiUse] = {}  # the rows of the present unit by their nodes
        self.parts: set[ast.AST] = set()  # subscripts in it of what is known as a tensor
        # Methods of the project's own, in the present unit, that have the names of a training step's.
        self.own_methods: list[Span] = []
        self.own_attributes: list[OwnAttribute] = []
        # Places of the present unit whose first rows have others in their place.
        self.instead: set[Span] = set()
        self._in_module: dict[str, bool] = {}  # scope -> whether it belongs to a module; of the present unit

    def row(
        self, site: Site, summary: UnitSummary, api: str, form: Form, level: int, library: str = ""
    ) -> ApiUse | None:
        node = site.node
        span = self.span(node)
        name_span = self.name_span(node, span)
        if site.inside_string or site.quoted_in is not None:
            # Positions inside strings can only be trusted where the text says the same.
            name = (
                node.attr
                if isinstance(node, ast.Attribute)
                else node.id
                if isinstance(node, ast.Name)
                else None
            )
            if name is not None and self.index.slice(name_span) != name:
                if site.quoted_in is None:
                    return None
                span = name_span = self.span(site.quoted_in)
        receiver = None
        if isinstance(node, ast.Attribute) and form in (Form.METHOD, Form.ATTRIBUTE):
            receiver = self.span(node.value)
        call, signs = None, frozenset[str]()
        whole: ast.AST = node
        if site.call is not None:
            whole = site.call
            given = self.arguments(site)
            call = Call(self.span(site.call), with_present_signature(api, given))
            signs = frozenset() if call.arguments is given else _OF_FORMER
        result = summary.results.get(whole)
        if result is not None and call is not None and RESULTS[result] is ResultUse.PARAMETER:
            call = without_gradient_flag(api, call)
        made = ApiUse(
            api, form, span, name_span, CONFIDENCES[level], call, receiver,
            ResultUse.OTHER if result is None else RESULTS[result], site.guarded, library, "", site.scope,
            self.in_module(site.scope, summary.path),
            form is Form.METHOD and isinstance(node, ast.Attribute) and self.makes_new(node.value), signs=signs,
        )  # fmt: skip
        is_of_tensor = api.startswith(f"{torch_model.TENSOR_CLASS}.")
        is_elsewhere = made.result is ResultUse.WRITTEN and is_of_tensor and not made.may_be_recorded
        return msgspec.structs.replace(made, result=ResultUse.INDEXED) if is_elsewhere else made

    def makes_new(self, node: ast.AST) -> bool:
        """Whether an expression makes a tensor that nothing else refers to: arithmetic, a factory, a copy."""
        if isinstance(node, ast.BinOp):
            return True
        if not isinstance(node, ast.Call):
            return False
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in _FACTORIES or name.endswith("_like") or name.startswith("new_"):
            return True
        called = self.placed.get(node.func)
        receiver = node.func.value if isinstance(node.func, ast.Attribute) else None
        if receiver is not None and called is not None and _hands_on(called.api) and self.makes_new(receiver):
            return True
        is_written = any(keyword.arg in ("out", None) for keyword in node.keywords)
        return called is not None and not is_written and _computes(called.api)

    def in_module(self, scope: str, path: str) -> bool:
        """Whether a scope is, or is in, a class that derives from torch.nn.Module."""
        if not scope:
            return False
        known = self._in_module.get(scope)
        if known is None:
            inner = make(Tag.PROJECT_CLASS, f"{path}:{scope}")
            known = self.resolver.is_module(inner) or self.in_module(scope.rpartition(".")[0], path)
            self._in_module[scope] = known
        return known

    def is_tensor(self, value: Value) -> bool:
        """Whether a value is a tensor wherever it is from."""
        return all(part.tag is Tag.TENSOR for part in members(self.resolver.type_of(value)))

    def form_of(self, site: Site) -> Form:
        """How a name is referred to, from where it stands."""
        if site.context != PLAIN:
            return _FORMS[site.context]
        return Form.CALL if site.call is not None else Form.VALUE


def _hands_on(api: str) -> bool:
    """Whether what a method gives is at most its tensor, or a view of it: as unknown elsewhere as the tensor."""
    owner, _, name = api.rpartition(".")
    return owner == torch_model.TENSOR_CLASS and name != "set_"  # takes another's memory


@functools.cache
def _computes(api: str) -> bool:
    """Whether a function or method of torch gives a tensor of its own, whatever it is called with."""
    owner, _, name = api.rpartition(".")
    computed = f"{name}_" in OPERATORS_OF_TENSOR and name not in _NOT_COMPUTED
    return (computed and owner in ("torch", torch_model.TENSOR_CLASS)) or api in _COMPUTED
