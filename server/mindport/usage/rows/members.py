"""Rows for attributes and methods: which member of torch a name stands for, by the type of its owner."""

from __future__ import annotations

import ast
import functools

import msgspec

from mindport.registry.torch import torch_facts
from mindport.usage import package_model, python_model, torch_model
from mindport.usage.api_use import ApiUse, Form, Kind, OwnAttribute
from mindport.usage.array_members import arrays_have
from mindport.usage.classes import is_some_network
from mindport.usage.device_moves import moves_to_a_device
from mindport.usage.memo import FAR_CALLERS
from mindport.usage.mixed_layers import MIXED, OWN_LAYER, of_mixed_layers
from mindport.usage.names_of_cells import TAKEN
from mindport.usage.overrides import CALLED_BY_TORCH
from mindport.usage.own_methods import (
    KEEPS_STATES,
    LISTS_PARAMETERS,
    SWITCHES_OF_MODES,
    TRAINING_METHODS,
    is_method_of_some,
    is_one_of_several,
    is_own_method,
    method_meant,
    switches_modes,
    trains_what_it_is_given,
)
from mindport.usage.project_signs import OWN_FEATURES
from mindport.usage.rows.making import CONFIDENCES, RowMaker
from mindport.usage.rows.norms import ANY_NORM, is_of_norm
from mindport.usage.types import (
    GUESSED,
    HELD_BY_TORCH,
    INFERRED,
    PARAMETER,
    PROVED,
    UNKNOWN,
    Tag,
    Type,
    is_vague,
    members,
)
from mindport.usage.variables import Op, Site, UnitSummary, Value, Variable

# Values of other packages, which have arrays, frames and images with members of the same names.
_OF_OTHERS = frozenset((Tag.EXTERNAL_VALUE, Tag.OTHER))
_OF_PARAMETER = frozenset({"parameter"})
_OF_MODES = frozenset({"modes"})
_OF_SEVERAL = frozenset({"several"})
# Of a change in place: what is changed is a part of a tensor, not an element of a list.
_OF_PART = frozenset({"part"})
# What is taken for a tensor because a network gives it may be a table of tensors, and few tensors are sparse.
_OF_TABLES = "torch.Tensor.values"
_OF_BASE = frozenset({"inherited"})
_WRITER_OF_TORCH = "torch.utils.tensorboard.SummaryWriter"
_OF_WRITER = frozenset(
    {"add_scalar", "add_histogram", "add_image", "add_images", "add_pr_curve", "add_graph"}
)
CONSTANT_TAGS = frozenset({Tag.INSTANCE, Tag.OTHER, Tag.FLOAT})
# What layers have under other names in MindSpore, or read only once.
_OF_LAYERS = torch_model.SETTINGS_OF_LAYERS | {"weight", "bias", "running_mean", "running_var"}
_OWN = frozenset({Tag.PROJECT_INSTANCE, Tag.PROJECT_CLASS})
_SCALER = ".GradScaler."
_STEP_OF_SCALER = f"{_SCALER}step"
TORCH_TAGS = frozenset({Tag.CLASS, Tag.FUNCTION, Tag.TORCH_MODULE})


class MemberRows(RowMaker):
    """Makes rows for members of values."""

    def member(self, site: Site, summary: UnitSummary) -> ApiUse | None:
        value = site.value
        kind = self.resolver.type_of(value)
        name = site.name
        if name in torch_model.ASKED_OF_LAYERS and self.is_known_on_some_paths(value):
            return None
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
        is_of_others = has_own = False
        all_found = []
        for part in members(kind):
            found = self.member_of(part, name, site)
            is_of_others |= found is None and self.may_have(part, name, site.call is not None)
            if found is None:
                # A parameter gets all layers of a network by `apply`; of the empty list that others are put into the
                # same is said.
                is_given = isinstance(value, Variable) and value.op is Op.PARAMETER
                is_any_layer = is_given and part.tag is Tag.INSTANCE and part.name == torch_model.MODULE_CLASS
                is_own = part.tag is Tag.PROJECT_INSTANCE and self.resolver.attribute_holder(part.name, name)
                has_own |= bool(is_own)
                if is_any_layer or is_own:
                    all_found.append((f"{OWN_LAYER}.{name}", INFERRED))
                continue
            all_found.append(found)
            best = found if best is None or part.tag is Tag.TENSOR else _of_both(best, found)
        is_assigned = isinstance(getattr(site.node, "ctx", None), ast.Store)
        if best is None and not is_assigned and is_some_network(kind) and is_of_norm(site, summary.sites):
            row = self.row(site, summary, f"{ANY_NORM}.{name}", Form.ATTRIBUTE, GUESSED)
            return None if row is None else msgspec.structs.replace(row, signs=MIXED)
        if best is None:
            return None
        mixed = None if is_assigned else of_mixed_layers(all_found)
        api, level = mixed or best
        if api.endswith(_STEP_OF_SCALER) and self.steps_own_optimizer(site):
            self.own_methods.append(self.span(site.node))
        if kind.tag is Tag.SUPER and name in CALLED_BY_TORCH and _hands_through(site.call):
            return self.renamed_with(site, summary, api, level)
        if kind.tag is Tag.UNION and _SCALER in api and self.is_of_any_other(kind, name):
            return None  # a scaler is left out, but not what may be the project's own: `ema.update(net)`
        if kind.tag is Tag.UNION:
            is_guess = is_of_others and api.startswith(torch_model.TENSOR_CLASS)
            level = GUESSED if is_guess else min(level, INFERRED)
        if kind.tag is Tag.PROJECT_MODULE and isinstance(getattr(site.node, "ctx", None), ast.Store):
            return None  # `learner.DataLoader = in_order`: another thing gets the name
        if kind.tag is Tag.TORCH_MODULE or kind.tag is Tag.PROJECT_MODULE or kind.tag is Tag.CLASS:
            return self.row(site, summary, api, self.form_of(site), level)
        form = Form.METHOD if site.call is not None else Form.ATTRIBUTE
        if api == _OF_TABLES and level <= INFERRED:
            return None
        row = self.row(site, summary, api, form, level)
        if row is None or (level <= INFERRED and _trains_itself(row)):
            return None
        if level <= GUESSED and _sets_mode_by_value(row) and trains_what_it_is_given(self.resolver):
            return None
        if kind.tag is Tag.SUPER:
            return msgspec.structs.replace(row, signs=row.signs | _OF_BASE)
        # Of a linear layer, or of one of the project's own that says its sizes under the same names.
        may_be_own = name in torch_model.SIZES_OF_LAYERS and (
            has_own or (level is GUESSED and OWN_FEATURES in self.signs)
        )
        may_be_own |= name in torch_model.OF_CONVOLUTIONS_AND_OWN and (has_own or level is GUESSED)
        if mixed is not None or may_be_own:
            return None if is_assigned else msgspec.structs.replace(row, signs=MIXED)
        if kind.tag is Tag.TENSOR and kind.name == PARAMETER.name:
            return msgspec.structs.replace(row, signs=_OF_PARAMETER)
        if name.endswith("_") and getattr(site.node, "value", None) in self.parts:
            return msgspec.structs.replace(row, signs=row.signs | _OF_PART)
        if api in SWITCHES_OF_MODES and level <= INFERRED and switches_modes(self.resolver):
            return msgspec.structs.replace(row, signs=_OF_MODES)
        if api in LISTS_PARAMETERS and level <= INFERRED and is_method_of_some(self.resolver, api):
            return msgspec.structs.replace(row, signs=row.signs | _OF_SEVERAL)
        if api in KEEPS_STATES and (
            is_one_of_several(
                site,
                {one for one, _ in all_found},
                level,
                kind.name == torch_model.MODULE_CLASS and is_method_of_some(self.resolver, api),
            )
            or is_own_method(kind, name, self.resolver)
        ):
            return msgspec.structs.replace(row, signs=row.signs | _OF_SEVERAL)
        return row

    def is_known_on_some_paths(self, value: Value) -> bool:
        """Whether nothing is known of a value where one of the paths to it was taken: after
        `if isinstance(m, nn.Embedding)` it may be any layer."""
        if not isinstance(value, Variable) or value.op is not Op.JOIN:
            return False
        parts = (value.base, *value.detail)
        return any(
            self.resolver.type_of(part) is UNKNOWN or self.is_known_on_some_paths(part) for part in parts
        )

    def is_of_any_other(self, kind: Type, name: str) -> bool:
        """Whether what a value may be besides a scaler has the member: a class of the project that defines it, or for
        one that any may have, what some class derives from."""
        others = [part for part in members(kind) if part.tag in (Tag.PROJECT_INSTANCE, Tag.INSTANCE)]
        is_common = name == "update"
        return any(
            self.resolver.defines(part.name, name) if part.tag is Tag.PROJECT_INSTANCE else is_common
            for part in others
            if f".{part.name.rpartition('.')[2]}." != _SCALER
        )

    def steps_own_optimizer(self, site: Site) -> bool:
        """Whether a scaler is given an optimizer whose step is a method of the project's own."""
        if site.call is None or site.values is None or not site.call.args:
            return False
        optimizer = self.resolver.type_of(site.values[site.call.args[0]])
        return is_own_method(optimizer, "step", self.resolver)

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
            api, Form.OVERRIDE, span, span, CONFIDENCES[level], guarded=site.guarded, scope=site.scope,
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
        if kind in (UNKNOWN, HELD_BY_TORCH) and moves_to_a_device(name, site.call):
            return self.moved(name)
        if kind is HELD_BY_TORCH or (kind is UNKNOWN and name in torch_model.NAMED_ONCE):
            return self.of_one_kind(name)
        if tag is Tag.PROJECT_INSTANCE or tag is Tag.PROJECT_CLASS or tag is Tag.SUPER:
            return self.inherited(kind, name)
        if kind is package_model.SUMMARY_WRITER:
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
            if found.tag in CONSTANT_TAGS:
                constant = self.constant(kind.name, name)
                return (constant, PROVED) if constant else None
            return (found.name, PROVED) if found.tag in TORCH_TAGS else None
        return None

    def of_one_kind(self, name: str) -> tuple[str, int] | None:
        """A member of a module that is not known, where the name tells which kind of module has it."""
        member = torch_model.MEMBERS_OF_ONE_KIND.get(name)
        self.resolver.world.note(("overrides", name))
        is_own = bool(self.resolver.world.methods(name))
        return (member, GUESSED) if member is not None and not is_own else None

    def moved(self, name: str) -> tuple[str, int] | None:
        """A method of something unknown that moves it to a device, unless a class of the project has one."""
        self.resolver.world.note(("overrides", name))
        is_own = bool(self.resolver.world.methods(name))
        return None if is_own else (f"{torch_model.TENSOR_CLASS}.{name}", GUESSED)

    def may_have(self, kind: Type, name: str, is_called: bool) -> bool:
        """Whether a value that is not of torch may have a member of that name, which is called or not."""
        if kind.tag is Tag.NDARRAY:
            return arrays_have(name, is_called)
        if kind.tag is Tag.PROJECT_INSTANCE:
            resolver = self.resolver
            return resolver.defines(kind.name, name) or resolver.has_unknown_base(kind.name)
        return kind.tag in _OF_OTHERS or name in python_model.MEMBERS.get(kind.tag, ())

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


_TRAIN = "torch.nn.Module.train"


def _trains_itself(row: ApiUse) -> bool:
    """Whether a method called `train` takes what is no mode: an epoch, data, the name of a part. Torch's takes a truth
    value alone."""
    if row.api != _TRAIN or row.call is None:
        return False
    given = row.call.arguments
    return len(given) > 1 or any(one.kind not in _MAY_BE_A_MODE for one in given)


def _sets_mode_by_value(row: ApiUse) -> bool:
    """Whether `train` is called with what may be a flag, but is not written as one."""
    given = row.call.arguments if row.call is not None else ()
    return row.api == _TRAIN and any(one.kind is not Kind.BOOL for one in given)


_MAY_BE_A_MODE = (Kind.BOOL, Kind.UNKNOWN, Kind.OTHER)


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
