"""What torch does where networks are built."""

from __future__ import annotations

import ast
import functools
from typing import TYPE_CHECKING, Any

from mindport.registry.torch import torch_facts
from mindport.semantics.domains.construction import containers, methods, tensors
from mindport.semantics.domains.construction.containers import stack
from mindport.semantics.domains.construction.counts import MODULE, OPEN, PARAMETER, TENSOR, is_module
from mindport.semantics.domains.construction.sizes import CONTAINERS, layer_sizes
from mindport.semantics.flow.domain import Domain
from mindport.semantics.flow.frame import AttributeWrite, Frame
from mindport.semantics.flow.objects import Sequence
from mindport.semantics.flow.values import OUTSIDE, UNKNOWN, Arguments, Dotted, Ref, is_unknown
from mindport.source.trees import every_node

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine
    from mindport.semantics.flow.operators import Operator

# What libraries derive from torch.nn.Module.
_MODULES_OF_LIBRARIES = frozenset(("LightningModule", "PreTrainedModel"))
_IDLE_BASES = frozenset(
    ("torch.nn.Module", "torch.autograd.Function", "torch.utils.data.Dataset", "builtins.object")
)
# Contexts and decorators that leave what they are put around as it is.
_AROUND = frozenset(
    f"torch.{name}"
    for name in (
        "no_grad", "enable_grad", "inference_mode", "set_grad_enabled", "autocast", "amp.autocast", "cuda.amp.autocast",
        "jit.script", "jit.ignore", "jit.export", "jit.unused", "compile", "cuda.amp.custom_fwd", "cuda.amp.custom_bwd",
    )
)  # fmt: skip
# Arguments that a layer keeps as they are; others become tuples of numbers, or something else.
_KEPT_AS_GIVEN = frozenset(
    ("in_features", "out_features", "in_channels", "out_channels", "num_features", "num_channels", "num_groups",
     "embed_dim", "num_heads", "hidden_size", "input_size", "num_layers", "num_embeddings", "embedding_dim", "groups",
     "eps", "p", "inplace", "negative_slope")
)  # fmt: skip
# Layers that hold so many copies of another one.
_STACKS = frozenset(("TransformerEncoder", "TransformerDecoder"))
_SAME_COUNT = frozenset(("torch.nn.utils.spectral_norm", "torch.nn.utils.parametrizations.spectral_norm"))
# How functions that make modules begin; calls of what has no name, or a capital, may make some, too.
_MAKERS = ("make", "_make", "build", "get_", "create", "conv", "init")


class Construction(Domain):
    """Layers, parameters, tensors by their size, and containers."""

    def named(self, dotted: str) -> Any:
        if dotted.partition(".")[0] in ("torch", "torchvision"):
            return Dotted(torch_facts().canonical(dotted) or dotted)
        return super().named(dotted)

    def knows(self, dotted: str) -> bool:
        return torch_facts().kind(torch_facts().canonical(dotted) or dotted) is not None

    def is_missing(self, dotted: str) -> bool:
        module, _, name = dotted.rpartition(".")
        return module == "torch.nn" and not name.startswith("_") and not self.knows(dotted)

    def call(self, m: Machine, name: str, passed: Arguments, node: ast.Call | None) -> Any:
        if name in _AROUND:
            given = passed.positional
            return given[0] if given and not is_unknown(given[0]) else m.instance(Dotted(name), {})
        tensor = tensors.made(m, name, passed)
        if tensor is not NotImplemented:
            return tensor
        if name.startswith("torch.nn.init.") or name in _SAME_COUNT:
            return passed.positional[0] if passed.positional else UNKNOWN
        if name.startswith("torch.nn.") and torch_facts().is_module_class(name):
            instance = m.instance(Dotted(name), {})
            if not self.initialise(m, instance, name, passed):
                m.heap.write(instance).attributes[OPEN] = True
            return instance
        if name.startswith("torch.nn.utils."):
            m.lose(passed.values())
            return UNKNOWN
        if name.startswith("torch.") and not any(is_module(m, one) for one in passed.values()):
            m.given_outside(passed.values())
            return OUTSIDE
        return NotImplemented

    def initialise(self, m: Machine, instance: Ref, name: str, passed: Arguments) -> bool:
        if name in _IDLE_BASES or name.rpartition(".")[2] in _MODULES_OF_LIBRARIES:
            return True
        if not (name.startswith("torch.nn.") and torch_facts().is_module_class(name)):
            return False
        short = name.rpartition(".")[2]
        if short in _STACKS and passed.positional:
            stack(m, instance, passed)
            return True
        if short in CONTAINERS:
            containers.fill(m, instance, passed)
            return True
        signatures = torch_facts().signatures(name)
        names = [one.name for one in signatures[0].parameters] if signatures else []
        positional = tuple(_as_tuple(m, one) for one in passed.positional)
        keywords = {key: _as_tuple(m, one) for key, one in passed.keywords.items()}
        sizes = None if passed.is_open else layer_sizes(short, names, positional, keywords)
        given = dict(zip(names, passed.positional, strict=False)) | dict(passed.keywords)
        attributes: dict[str, Any] = {
            key: value if key in _KEPT_AS_GIVEN and isinstance(value, int | float | bool) else OUTSIDE
            for key, value in given.items()
            # A flag such as `bias` is replaced by the parameter, or by None.
            if key not in ("bias", "device", "dtype")
        }
        sizes_known = {"weight": None} if sizes is None else sizes
        attributes |= {key: tensors.new(m, PARAMETER, size) for key, size in sizes_known.items()}
        if sizes is None:
            m.may_raise()
        if sizes is None or any(is_module(m, one) for one in passed.values()):
            attributes[OPEN] = True
        m.heap.write(instance).attributes.update(attributes)
        return True

    def may_define(self, one: Dotted, name: str) -> bool:
        if one.name.startswith("torch.") and torch_facts().is_module_class(one.name):
            return torch_facts().member(one.name, name) is not None
        return super().may_define(one, name)

    def is_subclass(self, name: str, base: str) -> bool | None:
        if name.rpartition(".")[2] in _MODULES_OF_LIBRARIES and base == MODULE.name:
            return True
        if name.startswith("torch.") and base.startswith("torch."):
            return torch_facts().is_subclass(name, base)
        return super().is_subclass(name, base)

    def member(self, m: Machine, owner: Ref, name: str) -> Any:
        if tensors.known(m, owner) is not None:
            return tensors.member(m, owner, name)
        if name == "training" and is_module(m, owner):
            return True
        found = containers.dictionary_of(m, owner, name)
        if found is not None or not is_module(m, owner):
            return found
        # Layers keep what they are made with, in a form of their own.
        classes = m.outside_classes(owner)
        if any(name in _parameters(one.name) for one in classes):
            return OUTSIDE
        # Of a name that none of them has nobody knows whether it is there: somebody may have set it.
        is_method = name.startswith("_") or any(self.may_define(one, name) for one in classes)
        return None if is_method else UNKNOWN

    def call_member(self, m: Machine, owner: Ref, name: str, passed: Arguments) -> Any:
        return methods.call(m, owner, name, passed)

    def call_instance(self, m: Machine, owner: Ref, passed: Arguments) -> Any:
        kind = m.heap.read(owner).class_of
        if isinstance(kind, Dotted) and kind.name in _AROUND:
            return passed.positional[0] if passed.positional else OUTSIDE
        if not is_module(m, owner):
            return NotImplemented
        method = m.class_member(owner, "forward")
        if method is not None and _may_build(m, owner):
            m.lose((owner,))
        return OUTSIDE

    def assigned(self, m: Machine, write: AttributeWrite, value: Any) -> Any:
        """A part that is not known leaves the module open, unless the expression cannot make a module."""
        if not is_unknown(value) or not is_module(m, write.owner):
            return value
        is_called = write.name in self._called(m, write.frame.path)
        if value.is_object or is_called or _may_make_module(write.source, write.frame):
            return UNKNOWN
        return OUTSIDE

    def _called(self, m: Machine, path: str) -> frozenset[str]:
        """The attributes that a file calls, or goes through: what is one of them may be a module."""
        tree = m.sources.trees.get(path)
        return frozenset() if tree is None else called_attributes(tree)

    def binary(self, m: Machine, sign: Operator, left: Any, right: Any) -> Any:
        left_size, right_size = tensors.known(m, left), tensors.known(m, right)
        if left_size is None and right_size is None:
            return NotImplemented
        if left_size is not None and isinstance(right, int | float):
            return tensors.new(m, TENSOR, *left_size)
        if right_size is not None and isinstance(left, int | float):
            return tensors.new(m, TENSOR, *right_size)
        return OUTSIDE

    def items(self, m: Machine, owner: Ref) -> list[Any] | None:
        return containers.items(m, owner)

    def subscript(self, m: Machine, owner: Any, key: Any, node: ast.Subscript | None) -> Any:
        if not isinstance(owner, Ref):
            return super().subscript(m, owner, key, node)
        if tensors.known(m, owner) is not None:
            return OUTSIDE
        return containers.item(m, owner, key)

    def set_item(self, m: Machine, owner: Ref, key: Any, value: Any) -> bool:
        if tensors.known(m, owner) is not None:
            return True
        return containers.set_item(m, owner, key, value)

    def delete_item(self, m: Machine, owner: Ref, key: Any) -> bool:
        return containers.delete_item(m, owner, key)

    def truth(self, m: Machine, value: Any) -> bool | None:
        if not isinstance(value, Ref):
            return None
        held = containers.items(m, value)
        if held is not None:
            return bool(held)
        return True if is_module(m, value) else None

    def entered(self, m: Machine, manager: Any) -> Any:
        return OUTSIDE if self.swallows(m, manager) is False else super().entered(m, manager)

    def swallows(self, m: Machine, manager: Any) -> bool | None:
        kind = m.heap.read(manager).class_of if isinstance(manager, Ref) else None
        return False if isinstance(kind, Dotted) and kind.name in _AROUND else None


@functools.cache
def _parameters(layer: str) -> frozenset[str]:
    """The parameters of the constructor of a class of torch's."""
    signatures = torch_facts().signatures(layer)
    return frozenset(one.name for one in signatures[0].parameters) if signatures else frozenset()


def _as_tuple(m: Machine, value: Any) -> Any:
    """A list of sizes as the formulas take it."""
    thing = m.heap.read(value) if isinstance(value, Ref) else None
    return tuple(thing.items) if isinstance(thing, Sequence) and thing.items is not None else value


def _may_make_module(node: ast.AST, frame: Frame) -> bool:
    """Whether code whose value is not known may make a module: it calls something that has no name or begins with a
    capital, a function whose name says so, or one of the blocks that were handed in."""
    function = frame.function
    handed = {one.arg for one in function.args.args} if function is not None else set()
    for inner in every_node(node):
        if isinstance(inner, ast.Call):
            name = getattr(inner.func, "id", "") or getattr(inner.func, "attr", "")
            if not name or name[0].isupper() or name.startswith(_MAKERS) or name in handed:
                return True
    return False


@functools.lru_cache(maxsize=1024)
def called_attributes(tree: ast.Module) -> frozenset[str]:
    """The attributes that are called, gone through or asked for items anywhere in a file."""
    found: set[str] = set()
    for node in every_node(tree):
        used: list[ast.AST] = []
        if isinstance(node, ast.Call):
            used = [node.func, *(node.args if isinstance(node.func, ast.Name) else ())]
        elif isinstance(node, ast.For | ast.comprehension):
            used = [node.iter]
        elif isinstance(node, ast.Subscript):
            used = [node.value]
        found |= {one.attr for one in used if isinstance(one, ast.Attribute)}
    return frozenset(found)


def _may_build(m: Machine, owner: Ref) -> bool:
    """Whether the forward of a module sets attributes to what it calls."""
    found = m.member_of_class(m.heap.read(owner).class_of, "forward")
    node = m.heap.read(found).node if m.is_function(found) else None
    return node is not None and any(
        isinstance(one, ast.Assign)
        and any(isinstance(target, ast.Attribute) for target in one.targets)
        and _may_make_module(one.value, m.frame)
        for one in every_node(node)
    )
