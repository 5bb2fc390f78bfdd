"""Turns the sites of a unit into `ApiUse` rows, once their values have types."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from typing import Any

import msgspec

from mindport.model.span import Span
from mindport.model.verdict import Confidence
from mindport.registry.signature import ParameterKind
from mindport.registry.torch import torch_facts
from mindport.source.lines import LineIndex
from mindport.usage import python_model, torch_model
from mindport.usage.api_use import (
    ApiUse,
    Argument,
    Call,
    Form,
    Kind,
    LiteralValue,
    OwnAttribute,
    ResultUse,
    TorchName,
)
from mindport.usage.array_members import arrays_have
from mindport.usage.array_operands import of_numpy, operands, with_parentheses
from mindport.usage.classes import is_some_network
from mindport.usage.formats import TEMPLATE, value_in_field
from mindport.usage.former_signatures import with_present_signature
from mindport.usage.given_sizes import ALL_OF_SIZE, AS_OWNER_TELLS, given_sizes, size_method
from mindport.usage.gradient_flags import without_gradient_flag
from mindport.usage.header import ImportTable, dotted_name, library_of_name
from mindport.usage.held_tensors import holds_tensors
from mindport.usage.index_rows import IndexRows
from mindport.usage.masks import is_mask
from mindport.usage.memo import FAR_CALLERS
from mindport.usage.mixed_layers import MIXED, of_mixed_layers
from mindport.usage.named_in_strings import is_looked_up_in
from mindport.usage.names_of_cells import TAKEN
from mindport.usage.overrides import CALLED_BY_TORCH
from mindport.usage.own_methods import (
    SWITCHES_OF_MODES,
    TRAINING_METHODS,
    is_own_method,
    method_meant,
    switches_modes,
)
from mindport.usage.project_signs import OWN_FEATURES
from mindport.usage.resolve import Resolver
from mindport.usage.shared_changes import OF_TENSORS
from mindport.usage.types import (
    DEQUE,
    GUESSED,
    HELD_BY_TORCH,
    INFERRED,
    NUMERIC,
    PARAMETER,
    PROVED,
    UNKNOWN,
    Tag,
    Type,
    is_vague,
    make,
    members,
)
from mindport.usage.variables import (
    ANNOTATION,
    BASE,
    DECORATOR,
    PLAIN,
    TYPE_CHECK,
    WITH,
    Op,
    Site,
    SiteForm,
    UnitSummary,
    Value,
    Variable,
)

# Values of other packages, which have arrays, frames and images with members of the same names.
_OF_OTHERS = frozenset((Tag.EXTERNAL_VALUE, Tag.OTHER))
_CONFIDENCES = (Confidence.GUESSED, Confidence.INFERRED, Confidence.ANNOTATED, Confidence.PROVED)
_FORMS = {
    ANNOTATION: Form.ANNOTATION,
    BASE: Form.BASE_CLASS,
    DECORATOR: Form.DECORATOR,
    WITH: Form.CONTEXT,
    TYPE_CHECK: Form.TYPE_CHECK,
}
_RESULTS = (
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
_TAKE_DTYPES = ("to", "type")
_PYTHON_DTYPES = {
    "float": "torch.float64",
    "int": "torch.int64",
    "bool": "torch.bool",
    "complex": "torch.complex128",
}
_OF_PARAMETER = frozenset({"parameter"})
_OF_MASK = frozenset({"mask"})
_OF_FORMER = frozenset({"former"})
_OF_MODES = frozenset({"modes"})
_OF_BASE = frozenset({"inherited"})
_KINDS: dict[Tag, Kind] = {
    Tag.TENSOR: Kind.TENSOR, Tag.NONE: Kind.NONE, Tag.BOOL: Kind.BOOL, Tag.INT: Kind.INT, Tag.FLOAT: Kind.FLOAT,
    Tag.NUMBER: Kind.NUMBER, Tag.STR: Kind.STR, Tag.SEQUENCE: Kind.SEQUENCE, Tag.TUPLE: Kind.SEQUENCE,
    Tag.NDARRAY: Kind.NDARRAY, Tag.CLASS: Kind.CALLABLE,
    Tag.FUNCTION: Kind.CALLABLE, Tag.METHOD: Kind.CALLABLE, Tag.CALLABLE: Kind.CALLABLE, Tag.BUILTIN: Kind.CALLABLE,
    Tag.PROJECT_CLASS: Kind.CALLABLE, Tag.PROJECT_FUNCTION: Kind.CALLABLE, Tag.BOUND: Kind.CALLABLE,
    Tag.UNKNOWN: Kind.UNKNOWN, Tag.BOTTOM: Kind.UNKNOWN, Tag.UNION: Kind.UNKNOWN,
    Tag.LIBRARY_VALUE: Kind.UNKNOWN, Tag.EXTERNAL: Kind.UNKNOWN,
}  # fmt: skip
_INSTANCE_KINDS = {"torch.dtype": Kind.DTYPE, "torch.device": Kind.DEVICE, "torch.Size": Kind.SEQUENCE}
_WRITER_OF_TORCH = "torch.utils.tensorboard.SummaryWriter"
_OF_WRITER = frozenset(
    {"add_scalar", "add_histogram", "add_image", "add_images", "add_pr_curve", "add_graph"}
)
_CONSTANT_TAGS = frozenset({Tag.INSTANCE, Tag.OTHER, Tag.FLOAT})
# What layers have under other names in MindSpore.
_OF_LAYERS = frozenset({"weight", "bias", "running_mean", "running_var"})
_OWN = frozenset({Tag.PROJECT_INSTANCE, Tag.PROJECT_CLASS})
_TORCH_TAGS = frozenset({Tag.CLASS, Tag.FUNCTION, Tag.TORCH_MODULE})
# Python has one method for every comparison; the others are spelled as they are written.
_OPERATORS_OF_TENSOR = frozenset(torch_model.members(torch_model.TENSOR_CLASS))


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


class Emitter:
    """Makes the rows of one file, for units that are `shift` lines from where they were parsed."""

    def __init__(
        self, resolver: Resolver, index: LineIndex, table: ImportTable, *, signs: frozenset[str] = frozenset()
    ) -> None:
        self.resolver = resolver
        self.signs = signs
        self.index = index
        self.table = table
        self.shift = 0
        self.unrecognised = 0
        self.placed: dict[ast.AST, ApiUse] = {}  # the rows of the present unit by their nodes
        # Methods of the project's own, in the present unit, that have the names of a training step's.
        self.own_methods: list[Span] = []
        self.own_attributes: list[OwnAttribute] = []
        self.beside: list[ApiUse] = []  # further rows of the present place
        # Places of the present unit whose first rows have others in their place.
        self.instead: set[Span] = set()
        self._in_module: dict[str, bool] = {}  # scope -> whether it belongs to a module; of the present unit
        self._emitters = {
            SiteForm.NAME: self.name,
            SiteForm.MEMBER: self.member,
            SiteForm.OPERATOR: self.operator,
            SiteForm.INDEX: self.subscript,
            SiteForm.FORMAT: self.formatted,
            SiteForm.SIZES: self.given_sizes,
            SiteForm.GETATTR: self.dynamic,
            SiteForm.OVERRIDE: self.override,
            SiteForm.NAMED_ARGUMENTS: self.layer_call,
            SiteForm.TYPE_OF: self.type_of,
        }

    def rows(self, summary: UnitSummary) -> list[ApiUse]:
        """The rows of one unit, in the order they were found."""
        found: list[ApiUse] = []
        emitters = self._emitters
        self.resolver.current = summary
        self._in_module = {}
        placed = self.placed = {}
        self.own_methods = []
        self.own_attributes = []
        self.instead = set()
        self.index_rows = IndexRows(summary, self.resolver, self.span)
        for site in summary.sites:
            self.beside = []
            row = emitters[site.form](site, summary)
            if row is not None:
                if row.call is not None and self.is_of_mask(site):
                    row = msgspec.structs.replace(row, signs=row.signs | _OF_MASK)
                placed[site.node] = row
                for one in (row, *self.beside):
                    found.append(
                        msgspec.structs.replace(one, signs=self.signs | one.signs) if self.signs else one
                    )
        self.resolver.current = None
        return _with_optimizers(_last_of(found, self.instead) if self.instead else found)

    # -- spans

    def place(self, line: int, byte_column: int) -> tuple[int, int]:
        """A position of `ast` in the present text."""
        line += self.shift
        return line, self.index.column_of_byte(line, byte_column)

    def span(self, node: Any) -> Span:
        line, column = self.place(node.lineno, node.col_offset)
        end_line, end_column = self.place(node.end_lineno, node.end_col_offset)
        return Span(line, column, end_line, end_column)

    def name_span(self, node: ast.AST, span: Span) -> Span:
        """The last name in an attribute expression; the whole of anything else."""
        if isinstance(node, ast.Attribute):
            return Span(span.end_line, span.end_column - len(node.attr), span.end_line, span.end_column)
        return span

    # -- rows

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
        if result is not None and call is not None and _RESULTS[result] is ResultUse.PARAMETER:
            call = without_gradient_flag(api, call)
        made = ApiUse(
            api, form, span, name_span, _CONFIDENCES[level], call, receiver,
            ResultUse.OTHER if result is None else _RESULTS[result], site.guarded, library, "", site.scope,
            self.in_module(site.scope, summary.path),
            form is Form.METHOD and isinstance(node, ast.Attribute) and self.makes_new(node.value), signs=signs,
        )  # fmt: skip
        is_elsewhere = made.result is ResultUse.WRITTEN and not made.may_be_recorded
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

    def form_of(self, site: Site) -> Form:
        """How a name is referred to, from where it stands."""
        if site.context != PLAIN:
            return _FORMS[site.context]
        return Form.CALL if site.call is not None else Form.VALUE

    def name(self, site: Site, summary: UnitSummary) -> ApiUse | None:
        value = site.value
        if isinstance(value, Variable):
            # Only a name that comes from elsewhere in the project is a use of torch; a local alias is not.
            kind = self.resolver.exported(value)
            if kind.tag in _TORCH_TAGS:
                return self.given_module(site, self.row(site, summary, kind.name, self.form_of(site), PROVED))
            if value.op is Op.GLOBAL and kind.tag in _CONSTANT_TAGS:
                constant = self.constant(value.detail, value.name)
                if constant:
                    return self.row(site, summary, constant, self.form_of(site), PROVED)
            return None
        if value.tag is Tag.EXTERNAL:
            library = library_of_name(value.name)
            if library:
                return self.row(site, summary, value.name, self.form_of(site), PROVED, library)
            return None
        if site.name.partition(".")[0] not in torch_model.TORCH_ROOTS:
            return None
        reference = torch_model.reference(site.name)
        if not reference.is_known:
            self.unrecognised += 1
        return self.given_module(site, self.row(site, summary, reference.name, self.form_of(site), PROVED))

    def given_module(self, site: Site, row: ApiUse | None) -> ApiUse | None:
        """The row for a module that is handed on as a value, `build(torch.optim, kind)`: names are looked up in it."""
        if row is None or row.form is not Form.VALUE or not is_looked_up_in(row.api):
            return row
        return msgspec.structs.replace(row, form=Form.DYNAMIC)

    def member(self, site: Site, summary: UnitSummary) -> ApiUse | None:
        value = site.value
        kind = self.resolver.type_of(value)
        name = site.name
        if name in _OF_LAYERS and is_some_network(kind):
            kind = self.resolver.layer_by_name(value) or kind
        if name in CALLED_BY_TORCH:
            own = method_meant(site, kind, self.resolver, self.in_module(site.scope, summary.path))
            if own is not None:
                return self.renamed_with(site, summary, *own)
        if name in TRAINING_METHODS and is_own_method(kind, name, self.resolver):
            self.own_methods.append(self.span(site.node))
        if name in TAKEN:
            self.own_attribute(site, kind)
        best: tuple[str, int] | None = None
        is_of_others = False
        all_found = []
        for part in members(kind):
            found = self.member_of(part, name, site)
            is_of_others |= found is None and self.may_have(part, name, site.call is not None)
            if found is None:
                continue
            all_found.append(found)
            best = found if best is None or part.tag is Tag.TENSOR else _of_both(best, found)
        if best is None:
            return None
        mixed = None if isinstance(getattr(site.node, "ctx", None), ast.Store) else of_mixed_layers(all_found)
        api, level = mixed or best
        if kind.tag is Tag.SUPER and name in CALLED_BY_TORCH and _hands_through(site.call):
            return self.renamed_with(site, summary, api, level)
        if kind.tag is Tag.UNION:
            is_guess = is_of_others and api.startswith(torch_model.TENSOR_CLASS)
            level = GUESSED if is_guess else min(level, INFERRED)
        if kind.tag is Tag.TORCH_MODULE or kind.tag is Tag.PROJECT_MODULE or kind.tag is Tag.CLASS:
            return self.row(site, summary, api, self.form_of(site), level)
        form = Form.METHOD if site.call is not None else Form.ATTRIBUTE
        row = self.row(site, summary, api, form, level)
        if row is None:
            return None
        if kind.tag is Tag.SUPER:
            return msgspec.structs.replace(row, signs=row.signs | _OF_BASE)
        if mixed is not None:
            return msgspec.structs.replace(row, signs=MIXED)
        if kind.tag is Tag.TENSOR and kind.name == PARAMETER.name:
            return msgspec.structs.replace(row, signs=_OF_PARAMETER)
        if api in SWITCHES_OF_MODES and level <= INFERRED and switches_modes(self.resolver):
            return msgspec.structs.replace(row, signs=_OF_MODES)
        return row

    def own_attribute(self, site: Site, kind: Type) -> None:
        """Note an attribute of the project's own objects with a name of Cell's. Of torch's nothing has such a method:
        one that is called on a value of which nothing is known is the project's, whichever class has it."""
        parts = [part for part in members(kind) if part.tag is not Tag.NONE]
        if is_vague(kind) and site.call is not None:
            holders = self.resolver.method_holders(site.name)
        elif all(part.tag in _OWN for part in parts):
            holders = frozenset(self.resolver.attribute_holder(part.name, site.name) for part in parts)
        else:
            return
        if holders and "" not in holders:
            span = self.name_span(site.node, self.span(site.node))
            self.own_attributes.append(OwnAttribute(span, site.name, holders))

    def renamed_with(self, site: Site, summary: UnitSummary, api: str, level: int) -> ApiUse | None:
        """The name of a method, where it is called, as a use of the one that it is defined in the place of."""
        span = self.name_span(site.node, self.span(site.node))
        if self.index.slice(span) != site.name:
            return None
        return ApiUse(
            api, Form.OVERRIDE, span, span, _CONFIDENCES[level], guarded=site.guarded, scope=site.scope,
            in_module=self.in_module(site.scope, summary.path),
        )  # fmt: skip

    def member_of(self, kind: Type, name: str, site: Site) -> tuple[str, int] | None:
        """The canonical name of the member and how sure that is."""
        tag = kind.tag
        if tag is Tag.TENSOR:
            canonical = torch_model.members(torch_model.TENSOR_CLASS).get(name)
            return (canonical, kind.level) if canonical is not None else None
        if tag is Tag.INSTANCE or tag is Tag.CLASS:
            canonical = torch_model.members(kind.name).get(name)
            if canonical is None and kind.name == torch_model.MODULE_CLASS:
                return self.of_one_kind(name)
            return (canonical, kind.level) if canonical is not None else None
        if kind is HELD_BY_TORCH or (kind is UNKNOWN and name in torch_model.NAMED_ONCE):
            return self.of_one_kind(name)
        if tag is Tag.PROJECT_INSTANCE or tag is Tag.PROJECT_CLASS or tag is Tag.SUPER:
            return self.inherited(kind, name)
        if kind is python_model.SUMMARY_WRITER:
            return (f"{_WRITER_OF_TORCH}.{name}", PROVED) if name in _OF_WRITER else None
        if tag is Tag.TORCH_MODULE:
            reference = torch_model.reference(f"{kind.name}.{name}")
            if reference.type.tag is Tag.TORCH_MODULE:
                return None
            if not reference.is_known:
                self.unrecognised += 1
            return (reference.name, PROVED)
        if tag is Tag.PROJECT_MODULE:
            found = self.resolver.type_of_name(kind.name, name, FAR_CALLERS)
            if found.tag in _CONSTANT_TAGS:
                constant = self.constant(kind.name, name)
                return (constant, PROVED) if constant else None
            return (found.name, PROVED) if found.tag in _TORCH_TAGS else None
        return None

    def of_one_kind(self, name: str) -> tuple[str, int] | None:
        """A member of a module that is not known, where the name tells which kind of module has it."""
        member = torch_model.MEMBERS_OF_ONE_KIND.get(name)
        self.resolver.world.note(("overrides", name))
        is_own = name in torch_model.SIZES_OF_LAYERS and OWN_FEATURES in self.signs
        is_own = is_own or bool(self.resolver.world.methods(name))
        return (member, GUESSED) if member is not None and not is_own else None

    def may_have(self, kind: Type, name: str, is_called: bool) -> bool:
        """Whether a value that is not of torch may have a member of that name, which is called or not."""
        if kind.tag is Tag.NDARRAY:
            return arrays_have(name, is_called)
        if kind.tag is Tag.PROJECT_INSTANCE:
            resolver = self.resolver
            return resolver.defines(kind.name, name) or resolver.has_unknown_base(kind.name)
        return kind.tag in _OF_OTHERS or name in python_model.MEMBERS.get(kind.tag, ())

    def constant(self, module: str, name: str) -> str:
        """The canonical name of a dtype or other value of torch that a module of the project hands on."""
        dotted = self.resolver.world.torch_name(module, name)
        if dotted.partition(".")[0] not in torch_model.TORCH_ROOTS:
            return ""
        reference = torch_model.reference(dotted)
        return reference.name if reference.is_known else ""

    def inherited(self, kind: Type, name: str) -> tuple[str, int] | None:
        """A member that a class of the project has from torch, unless the project defines it itself."""
        resolver = self.resolver
        if resolver.defines(kind.name, name, kind.tag is Tag.SUPER):
            return None
        torch_class = resolver.torch_base_with(kind.name, name)
        if not torch_class:
            return None
        canonical = torch_model.members(torch_class).get(name)
        if canonical is None or (
            torch_model.is_setting(canonical) and name not in torch_model.USUAL_PARAMETERS
        ):
            return None
        return (canonical, kind.level)

    def operator(self, site: Site, summary: UnitSummary) -> ApiUse | None:
        level = self.level_of_tensor(site)
        if level < 0 or site.name not in _OPERATORS_OF_TENSOR:
            return None
        row = self.row(site, summary, f"torch.Tensor.{site.name}", Form.OPERATOR, level)
        if row is None:
            return None
        self.beside += self.arrays_in_operation(row, site)
        if site.name.startswith("__i") and site.name != "__invert__" and self.is_tensor(site.value):
            return msgspec.structs.replace(row, signs=OF_TENSORS)
        is_inverted = site.name == "__invert__" and is_mask(self.resolver.type_of(site.value))
        return msgspec.structs.replace(row, signs=_OF_MASK) if is_inverted else row

    def arrays_in_operation(self, row: ApiUse, site: Site) -> Iterator[ApiUse]:
        """A row for an operand of NumPy's beside a tensor, `x * array`: what takes it is the operator. The name of an
        operator that changes its tensor is that of the one which makes a new one."""
        both = operands(site.node, site.name)
        if both is None or site.other is None:
            return
        kinds = (self.resolver.type_of(site.value), self.resolver.type_of(site.other))
        for operand, kind, other in zip(both, kinds, reversed(kinds), strict=True):
            what = of_numpy(kind, operand is both[1], site.name) if other.tag is Tag.TENSOR else None
            if what is not None and operand is not None:
                inside = self.span(operand)
                span = with_parentheses(inside, self.index)
                argument = Argument(inside, kind=Kind.NDARRAY, is_literal=what != "", value=what)
                api = row.api.replace("__i", "__") if site.name.startswith("__i") else row.api
                yield msgspec.structs.replace(
                    row,
                    api=api,
                    span=span,
                    name_span=span,
                    call=Call(span, (argument,)),
                    result=ResultUse.OTHER,
                )

    def is_of_mask(self, site: Site) -> bool:
        """Whether a call is of a method of a tensor of truth values, or of a function that takes one first."""
        value: Value | None = site.value if site.form is SiteForm.MEMBER else None
        if site.form is SiteForm.NAME and site.call is not None and site.call.args and site.values:
            value = site.values.get(site.call.args[0])
        return value is not None and is_mask(self.resolver.type_of(value))

    def is_tensor(self, value: Value) -> bool:
        """Whether a value is a tensor wherever it is from."""
        return all(part.tag is Tag.TENSOR for part in members(self.resolver.type_of(value)))

    def level_of_tensor(self, site: Site) -> int:
        """How sure it is that one of the values of a site is a tensor; -1 where none is."""
        values = [value for value in (site.value, site.other) if value is not None]
        return max(_level_of_tensor(self.resolver.type_of(value)) for value in values)

    def formatted(self, site: Site, summary: UnitSummary) -> ApiUse | None:
        """A tensor in a text, `f"{loss:.3f}"`: a call of its `__format__`, of which the letter of the format counts; or
        a template with fields for parts of objects that are tensors."""
        is_template = site.name == TEMPLATE
        level = self.level_in_template(site) if is_template else self.level_of_tensor(site)
        span = None if level < 0 or site.inside_string else self.formatted_span(site)
        if span is None:
            return None
        letter = Argument(span, kind=Kind.STR, is_literal=True, value=site.name)
        return ApiUse(
            "torch.Tensor.__format__", Form.FORMAT, span, span, _CONFIDENCES[level], Call(span, (letter,)), span,
            guarded=site.guarded, scope=site.scope, in_module=self.in_module(site.scope, summary.path),
        )  # fmt: skip

    def given_sizes(self, site: Site, summary: UnitSummary) -> ApiUse | None:
        """The shape in `torch.FloatTensor(x.size())`: a call of its `size` that asks for all sizes one by one."""
        node = site.node
        assert isinstance(node, ast.expr)
        assert site.other is not None
        kind = self.resolver.type_of(site.value)
        change = given_sizes(node, kind, self.resolver.type_of(site.other))
        if not change:
            return None
        span = self.span(node)
        level = GUESSED if kind is UNKNOWN else min(kind.level, INFERRED)
        confidence = _CONFIDENCES[INFERRED if change == AS_OWNER_TELLS else level]
        receiver = (
            self.span(node.value) if change == AS_OWNER_TELLS and isinstance(node, ast.Attribute) else span
        )
        call = Call(span, (Argument(span, kind=Kind.STR, is_literal=True, value=change),))
        in_module = self.in_module(site.scope, summary.path)
        method = size_method(node) if change == ALL_OF_SIZE else None
        if method is None:
            return ApiUse(
                "torch.Tensor.size", Form.SIZES, span, span, confidence, call, receiver,
                guarded=site.guarded, scope=site.scope, in_module=in_module,
            )  # fmt: skip
        name = self.span(method)
        self.instead.add(name)
        return ApiUse(
            "torch.Tensor.size", Form.METHOD, name, self.name_span(method, name), confidence, call,
            self.span(method.value), guarded=site.guarded, scope=site.scope, in_module=in_module,
        )  # fmt: skip

    def type_of(self, site: Site, summary: UnitSummary) -> ApiUse | None:
        """The class of a tensor, `type(x)`, that is called, or is called by the name that it gets."""
        kind = python_model.type_of(self.resolver.type_of(site.value))
        result = summary.results.get(site.node)
        is_called = site.call is not None or (result is not None and _RESULTS[result] is ResultUse.CHOSEN)
        if kind.tag is not Tag.CLASS or not is_called:
            return None
        return self.row(site, summary, kind.name, self.form_of(site), kind.level)

    def level_in_template(self, site: Site) -> int:
        """How sure it is that a template takes a tensor out of an object; -1 where none is known."""
        kinds = [self.resolver.type_of(site.value)]
        if site.other is not None:
            for owner in members(self.resolver.type_of(site.other)):
                if owner.tag is Tag.PROJECT_INSTANCE:
                    kinds += self.resolver.attributes_of(owner.name)
        return max(map(_level_of_tensor, kinds))

    def formatted_span(self, site: Site) -> Span | None:
        """Where a formatted value stands; None where the text of its f-string does not show it."""
        if site.field is None:
            return self.span(site.node)
        literal, place = site.field
        whole = self.span(literal)
        found = value_in_field(self.index.slice(whole), place, site.node)
        start = self.index.offset(whole.start)
        return None if found is None else self.index.span(start + found[0], start + found[1])

    def subscript(self, site: Site, summary: UnitSummary) -> ApiUse | None:
        for part in members(self.resolver.type_of(site.value)):
            if part.tag is Tag.TENSOR:
                row = self.row(site, summary, f"torch.Tensor.{site.name}", Form.INDEX, part.level)
                if row is not None:
                    self.beside += self.index_rows.beside(row, site)
                return row
        return None

    def dynamic(self, site: Site, summary: UnitSummary) -> ApiUse | None:
        kind = self.resolver.type_of(site.value)
        if kind.tag is not Tag.TORCH_MODULE:
            return None
        row = self.row(site, summary, kind.name, Form.DYNAMIC, PROVED)
        if row is None:
            return None
        argument = site.node.args[1] if isinstance(site.node, ast.Call) else site.node
        return ApiUse(
            row.api, row.form, row.span, row.name_span, row.confidence, None, None, row.result, row.guarded, "",
            ast.unparse(argument), row.scope,
        )  # fmt: skip

    def override(self, site: Site, summary: UnitSummary) -> ApiUse | None:
        """`def forward` in a module: the method that the framework calls."""
        value = site.value
        if not isinstance(value, Type) or site.name.startswith("__"):
            return None
        entry = self.resolver.world.class_entry(value.name)
        record = entry.methods.get(site.name) if entry is not None else None
        canonical = self.resolver.overridden(value.name, record) if record is not None else ""
        if not canonical:
            return None
        node = site.node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return None
        keyword = "async def " if isinstance(node, ast.AsyncFunctionDef) else "def "
        line, column = self.place(node.lineno, node.col_offset)
        span = Span(line, column + len(keyword), line, column + len(keyword) + len(site.name))
        if self.index.slice(span) != site.name:
            return None
        return ApiUse(
            canonical, Form.OVERRIDE, span, span, Confidence.PROVED, guarded=site.guarded, scope=site.scope,
            in_module=True,
        )  # fmt: skip

    def layer_call(self, site: Site, summary: UnitSummary) -> ApiUse | None:
        """`criterion(input=p, target=t)` of one of torch's own layers: a use of its `forward`. Any module may be one of
        the project's, whose names stay."""
        parts = members(self.resolver.type_of(site.value))
        layers = [
            torch_model.members(part.name).get("forward", "") if part.tag is Tag.INSTANCE else ""
            for part in parts
        ]
        if site.inside_string or site.call is None or not all(map(_has_own_names, layers)):
            return None
        if not all(torch_model.is_module_class(part.name) for part in parts):
            return None
        level = parts[0].level if len(parts) == 1 else min(1, *(part.level for part in parts))
        callee = self.span(site.call.func)
        result = summary.results.get(site.call)
        return ApiUse(
            layers[0], Form.LAYER_CALL, callee, self.name_span(site.call.func, callee), _CONFIDENCES[level],
            Call(self.span(site.call), self.arguments(site)), callee,
            ResultUse.OTHER if result is None else _RESULTS[result], site.guarded, scope=site.scope,
            in_module=self.in_module(site.scope, summary.path),
        )  # fmt: skip

    # -- arguments

    def arguments(self, site: Site) -> tuple[Argument, ...]:
        """The arguments of the call, as written."""
        call = site.call
        if call is None or site.values is None:
            return ()
        values = site.values
        found = []
        for node in call.args:
            if isinstance(node, ast.Starred):
                found.append(Argument(self.span(node.value), star=1))
                continue
            kind, is_literal, value = self.argument_value(node, values[node])
            if site.name in _TAKE_DTYPES:
                kind, is_literal, value = self.python_dtype(node, values[node], site) or (
                    kind,
                    is_literal,
                    value,
                )
            held = holds_tensors(self.resolver.type_of(values[node]))
            found.append(Argument(self.span(node), None, None, 0, kind, is_literal, value, held))
        for keyword in call.keywords:
            node = keyword.value
            if keyword.arg is None:
                found.append(Argument(self.span(node), star=2))
                continue
            kind, is_literal, value = self.argument_value(node, values[node])
            if keyword.arg == "dtype":
                kind, is_literal, value = self.python_dtype(node, values[node], site) or (
                    kind,
                    is_literal,
                    value,
                )
            line, column = self.place(keyword.lineno, keyword.col_offset)
            keyword_span = Span(line, column, line, column + len(keyword.arg))
            held = holds_tensors(self.resolver.type_of(values[node]))
            found.append(
                Argument(self.span(node), keyword.arg, keyword_span, 0, kind, is_literal, value, held)
            )
        return tuple(found)

    def python_dtype(
        self, node: ast.expr, value: Value, site: Site
    ) -> tuple[Kind, bool, LiteralValue] | None:
        """A class of Python's where torch takes a dtype, `dtype=float`: it stands for one, and is a use of that."""
        kind = self.resolver.type_of(value)
        name = _PYTHON_DTYPES.get(kind.name) if kind.tag is Tag.BUILTIN else None
        if name is None:
            return None
        span = self.span(node)
        use = ApiUse(name, Form.VALUE, span, span, guarded=site.guarded, scope=site.scope)
        if all(one.span != span for one in self.beside):
            self.beside.append(use)
        return Kind.DTYPE, True, TorchName(name)

    def argument_value(self, node: ast.expr, value: Value) -> tuple[Kind, bool, LiteralValue]:
        """Kind of an argument, and its value where it is a literal or a name of torch."""
        kind = self.kind_of(value)
        if isinstance(node, ast.Constant):
            literal = node.value
            if literal is None or isinstance(literal, (bool, int, float, str)):
                return kind, True, literal
            return kind, False, None
        if isinstance(node, (ast.Attribute, ast.Name)):
            name = self.torch_name(node)
            return (kind, True, TorchName(name)) if name else (kind, False, None)
        if isinstance(node, (ast.Tuple, ast.List, ast.UnaryOp)):
            return kind, *self.literal(node)
        if isinstance(node, ast.GeneratorExp):
            return Kind.OTHER, False, None  # can be gone through once, and is no list
        return kind, False, None

    def literal(self, node: ast.expr, depth: int = 0) -> tuple[bool, LiteralValue]:
        if isinstance(node, ast.Constant):
            value = node.value
            return (
                (True, value)
                if value is None or isinstance(value, (bool, int, float, str))
                else (False, None)
            )
        if (
            isinstance(node, ast.UnaryOp)
            and isinstance(node.op, ast.USub)
            and isinstance(node.operand, ast.Constant)
        ):
            number = node.operand.value
            if isinstance(number, (int, float)) and not isinstance(number, bool):
                return True, -number
        if isinstance(node, (ast.Tuple, ast.List)) and depth < 2:
            parts: list[Any] = []
            for element in node.elts:
                known, part = self.literal(element, depth + 1)
                if not known:
                    return False, None
                parts.append(part)
            return True, tuple(parts)
        if isinstance(node, (ast.Attribute, ast.Name)):
            name = self.torch_name(node)
            if name:
                return True, TorchName(name)
        return False, None

    def torch_name(self, node: ast.expr) -> str:
        """The canonical name where the expression is a torch name by the file's imports; else empty."""
        parts = dotted_name(node)
        if parts is None:
            return ""
        dotted = self.table.dotted.get(parts[0], "")
        if dotted.partition(".")[0] not in torch_model.TORCH_ROOTS:
            return ""
        reference = torch_model.reference(".".join((dotted, *parts[1:])))
        return reference.name if reference.is_known else ""

    def kind_of(self, value: Value) -> Kind:
        kind = self.resolver.type_of(value)
        if kind.tag is Tag.INSTANCE:
            known = _INSTANCE_KINDS.get(kind.name)
            if known is not None:
                return known
            if torch_model.is_module_class(kind.name):
                return Kind.MODULE
            return Kind.OPTIMIZER if torch_model.is_optimizer_class(kind.name) else Kind.OTHER
        if kind.tag is Tag.PROJECT_INSTANCE:
            return Kind.MODULE if self.resolver.is_module(kind) else Kind.OTHER
        if kind.tag is Tag.UNION:
            kinds = {part.tag for part in kind.parts}
            return Kind.NUMBER if kinds <= NUMERIC else Kind.UNKNOWN
        if kind.tag is Tag.TENSOR and kind.level == 0:
            return Kind.UNKNOWN
        if kind.name == DEQUE.name and kind.tag is Tag.SEQUENCE:
            return Kind.UNKNOWN  # no list or tuple, which MindSpore asks for
        return _KINDS.get(kind.tag, Kind.OTHER)


def _last_of(rows: list[ApiUse], places: set[Span]) -> list[ApiUse]:
    """The rows, of which each of these places has the last one only."""
    last = {row.span: row for row in rows if row.span in places}
    return [row for row in rows if row.span not in places or row is last[row.span]]


def _with_optimizers(rows: list[ApiUse]) -> list[ApiUse]:
    """The same rows, those inside the arguments of an optimizer marked."""
    whole = [row.call.span for row in rows if row.call is not None and _is_optimizer(row)]
    if not whole:
        return rows
    return [
        msgspec.structs.replace(row, for_optimizer=True)
        if any(one.start < row.span.start and row.span.end < one.end for one in whole)
        else row
        for row in rows
    ]


def _is_optimizer(row: ApiUse) -> bool:
    """Whether an optimizer of torch is made, as by `torch.optim.SGD(...)`."""
    module, _, name = row.api.rpartition(".")
    return row.form is Form.CALL and module == "torch.optim" and name[:1].isupper()


@functools.cache
def _level_of_tensor(kind: Type) -> int:
    """How sure it is that a value is, or may be, a tensor; -1 where it is none."""
    return max((part.level for part in members(kind) if part.tag is Tag.TENSOR), default=-1)


def _has_own_names(forward: str) -> bool:
    """Whether a layer names what it takes. `DataParallel` and its like hand the names on to the module inside, and
    `torch.nn.Module` stands for any."""
    if forward in ("", "torch.nn.Module.forward"):
        return False
    collects = (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)
    signatures = torch_facts().signatures(forward)
    return bool(signatures) and not any(p.kind in collects for one in signatures for p in one.parameters)


@functools.cache
def _computes(api: str) -> bool:
    """Whether a function or method of torch gives a tensor of its own, whatever it is called with."""
    owner, _, name = api.rpartition(".")
    computed = f"{name}_" in _OPERATORS_OF_TENSOR and name not in _NOT_COMPUTED
    return computed and owner in ("torch", torch_model.TENSOR_CLASS)


def _hands_through(call: ast.Call | None) -> bool:
    """Whether a call has arguments that nobody sees: `super().forward(x, *rest)`."""
    return call is not None and (
        any(isinstance(argument, ast.Starred) for argument in call.args)
        or any(keyword.arg is None for keyword in call.keywords)
    )


def _of_both(one: tuple[str, int], other: tuple[str, int]) -> tuple[str, int]:
    """The member that a value of either class has: of a method and one that takes its place in a class derived from
    that one's, the first; of two that take the place of the same one, that one; and else the surer of both."""
    if _overrides(one[0], other[0]) or _overrides(other[0], one[0]):
        return one if _overrides(other[0], one[0]) else other
    shared = _overridden_by_both(one[0], other[0]) if one[0] != other[0] else ""
    if shared:
        return shared, min(one[1], other[1])
    return other if other[1] > one[1] else one


@functools.cache
def _overridden_by_both(one: str, other: str) -> str:
    """The member that two members of torch's classes take the place of; empty where there is none."""
    owner, _, name = one.rpartition(".")
    if other.rpartition(".")[2] != name:
        return ""
    facts = torch_facts()
    pending = list(facts.bases(owner))
    while pending:
        base = pending.pop(0)
        found = facts.member(base, name)
        if found is not None and found.startswith(base) and _overrides(other, found):
            return found
        pending += facts.bases(base)
    return ""


def _overrides(method: str, other: str) -> bool:
    return method != other and torch_facts().is_subclass(method.rpartition(".")[0], other.rpartition(".")[0])
