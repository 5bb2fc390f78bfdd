"""What the collected torch offers: names, kinds, aliases, members, signatures and results."""

from __future__ import annotations

import enum
import functools
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

import msgspec

from mindport.registry.compiled import load_compiled
from mindport.registry.former_parameters import with_former_parameters
from mindport.registry.location import frameworks_folder
from mindport.registry.returns import UNKNOWN, ReturnKind, Returns, joined, parse_returns
from mindport.registry.signature import Signature, parse_signature


class TorchKind(enum.Enum):
    """What a torch name is."""

    MODULE = "module"  # a Python module: torch.nn
    FUNCTION = "function"
    CLASS = "class"
    MODULE_CLASS = "module_class"  # a subclass of nn.Module
    OPTIMIZER_CLASS = "optimizer_class"
    SCHEDULER_CLASS = "scheduler_class"
    TENSOR_CLASS = "tensor_class"  # Tensor, Parameter, FloatTensor
    METHOD = "method"
    ATTRIBUTE = "attribute"  # in the class body: properties and the like
    INSTANCE_ATTRIBUTE = "instance_attribute"  # set when the object is built: BatchNorm2d.momentum
    CONSTANT = "constant"
    DTYPE = "dtype"
    LAYOUT = "layout"
    MEMORY_FORMAT = "memory_format"

    @property
    def is_class(self) -> bool:
        """Whether the name is a class of any sort."""
        return self in _CLASSES


_CLASSES = frozenset(
    (
        TorchKind.CLASS,
        TorchKind.MODULE_CLASS,
        TorchKind.OPTIMIZER_CLASS,
        TorchKind.SCHEDULER_CLASS,
        TorchKind.TENSOR_CLASS,
    )
)
_MEMBER_KINDS = frozenset(("method", "attribute", "instance_attribute"))
# Operators registered at run time, also by other packages: whatever is named there is taken to exist.
_OPERATORS = "torch.ops."
# Their instance attributes belong to the root for every subclass; those of others to the receiver's class.
_ROOTS = frozenset(
    ("torch.nn.Module", "torch.optim.Optimizer", "torch.Tensor", "torch.optim.lr_scheduler.LRScheduler")
)


class _SourceEntry(msgspec.Struct, frozen=True):
    kind: str
    signatures: tuple[str, ...] = ()
    type: str = ""
    alias_of: str = ""
    deprecated: str | None = None


class _RemovedEntry(msgspec.Struct, frozen=True):
    kind: str
    version: str
    signatures: tuple[str, ...] = ()
    type: str = ""


class _Source(msgspec.Struct, frozen=True):
    version: str
    names: dict[str, _SourceEntry]
    aliases: dict[str, str]
    classes: dict[str, tuple[str, ...]]
    named_tuples: dict[str, tuple[str, ...]]
    removed: dict[str, _RemovedEntry] = {}
    held_modules: dict[str, dict[str, str]] = {}


class _Names(msgspec.Struct, frozen=True, array_like=True):
    version: str
    kinds: dict[str, TorchKind]  # everything but members
    aliases: dict[str, str]  # other places of the same object
    same_as: dict[str, str]  # names with a page of their own that mean another name
    bases: dict[str, tuple[str, ...]]
    members: dict[str, msgspec.Raw]  # class -> own member -> kind
    deprecated: dict[str, str]
    removed: dict[str, str]  # name that torch no longer has -> the first version without it


class _Details(msgspec.Struct, frozen=True, array_like=True):
    signatures: dict[str, msgspec.Raw]
    types: dict[str, msgspec.Raw]  # of attributes and constants
    held_modules: dict[str, dict[str, str]]  # class -> attribute, or place in a Sequential -> class


_Part = TypeVar("_Part")
_MEMBERS = msgspec.msgpack.Decoder(dict[str, TorchKind])
_SIGNATURES = msgspec.msgpack.Decoder(tuple[Signature, ...])
_RETURNS = msgspec.msgpack.Decoder(Returns)
_EMPTY: Mapping[str, TorchKind] = MappingProxyType({})


def compile_torch(source: Path, beside: Sequence[Path] = ()) -> dict[str, object]:
    """The two parts of the compiled facts, from the collected files of torch and of the packages beside it."""
    content = msgspec.json.decode(source.read_bytes(), type=_Source)
    removed = content.removed
    content.names.update(
        {name: _SourceEntry(entry.kind, entry.signatures, entry.type) for name, entry in removed.items()}
    )
    class_names = _simple_names(content)
    for path in beside:
        other = msgspec.json.decode(path.read_bytes(), type=_Source)
        class_names = _simple_names(other) | class_names  # torch's own class first
        content = _Source(
            content.version,
            content.names | other.names,
            content.aliases | other.aliases,
            content.classes | other.classes,
            content.named_tuples,
            held_modules=content.held_modules | other.held_modules,
        )
    kinds: dict[str, str] = {}
    members: dict[str, dict[str, str]] = {name: {} for name in content.classes}
    signatures: dict[str, tuple[Signature, ...]] = {}
    types: dict[str, Returns] = {}
    for name, entry in content.names.items():
        owner, _, simple = name.rpartition(".")
        is_member = entry.kind in _MEMBER_KINDS and owner in members
        (members[owner] if is_member else kinds)[simple if is_member else name] = entry.kind
        if entry.signatures:
            parsed = (parse_signature(text, content.named_tuples) for text in entry.signatures)
            signatures[name] = tuple(_with_class_names(signature, class_names) for signature in parsed)
        elif entry.type:
            types[name] = _named_class(parse_returns(entry.type, content.named_tuples), class_names)
    names = _Names(
        content.version,
        {name: TorchKind(kind) for name, kind in kinds.items()},
        content.aliases,
        {name: entry.alias_of for name, entry in content.names.items() if entry.alias_of},
        content.classes,
        {name: msgspec.Raw(msgspec.msgpack.encode(found)) for name, found in members.items()},
        {name: entry.deprecated for name, entry in content.names.items() if entry.deprecated is not None},
        {name: entry.version for name, entry in removed.items()},
    )
    details = _Details(
        {name: msgspec.Raw(msgspec.msgpack.encode(found)) for name, found in signatures.items()},
        {name: msgspec.Raw(msgspec.msgpack.encode(found)) for name, found in types.items()},
        content.held_modules,
    )
    return {"names": names, "details": details}


def _simple_names(content: _Source) -> dict[str, str]:
    """Last part of a class name -> the public class it most likely means: the one nearest the root."""
    found: dict[str, str] = {}
    for name in content.classes:
        simple = name.rpartition(".")[2]
        if simple not in found or name.count(".") < found[simple].count("."):
            found[simple] = name
    return found


def _with_class_names(signature: Signature, classes: dict[str, str]) -> Signature:
    return Signature(signature.parameters, _named_class(signature.returns, classes))


def _named_class(returns: Returns, classes: dict[str, str]) -> Returns:
    """The same with class names made canonical; an instance of no known class is not known."""
    items = tuple(_named_class(item, classes) for item in returns.items)
    if returns.kind is not ReturnKind.INSTANCE:
        return Returns(returns.kind, returns.name, items, returns.fields, returns.optional)
    name = classes.get(returns.name.rpartition(".")[2])
    return Returns(ReturnKind.INSTANCE, name, items, (), returns.optional) if name else UNKNOWN


class TorchFacts:
    """The public names of one torch version, and of torchvision. Methods take dotted names with import aliases
    resolved; all but `canonical` expect a canonical one."""

    def __init__(self, source: Path, beside: Sequence[Path] = ()) -> None:
        self._source = source
        self._beside = beside
        self._names = self._load("names", _Names)
        self._own: dict[str, dict[str, TorchKind]] = {}
        self._all: dict[str, Mapping[str, TorchKind]] = {}
        self._owners: dict[str, dict[str, str]] = {}
        self._canonical: dict[str, str | None] = {}
        self._signatures: dict[str, tuple[Signature, ...]] = {}
        self._returns: dict[str, Returns] = {}

    @property
    def version(self) -> str:
        """The torch version the facts were collected from."""
        return self._names.version

    def names(self) -> Iterable[str]:
        """Every canonical name that is not a member of a class."""
        return self._names.kinds.keys()

    def class_names(self) -> Iterable[str]:
        """Every class."""
        return self._names.bases.keys()

    def kind(self, name: str) -> TorchKind | None:
        """What the name is; None if torch has no such name."""
        kind = self._names.kinds.get(name)
        if kind is not None:
            return kind
        if name.startswith(_OPERATORS):
            return TorchKind.FUNCTION
        owner, _, member = name.rpartition(".")
        return self._own_members(owner).get(member) or self._members(owner).get(member)

    def canonical(self, dotted: str) -> str | None:
        """The one name for what `dotted` refers to, or None if torch has nothing there.

        Re-exports and places of definition become the public name (`torch.nn.modules.linear.Linear`,
        `torch.autograd.no_grad`); members become those of the class that defines them
        (`torch.nn.Linear.train` is `torch.nn.Module.train`). Names that the documentation treats as names of
        their own stay (`torch.concat`, `torch.long`): `same_as` tells what they mean."""
        if dotted in self._names.kinds or dotted.startswith(_OPERATORS):
            return dotted
        if dotted not in self._canonical:
            self._canonical[dotted] = self._resolve(dotted)
        return self._canonical[dotted]

    def _resolve(self, dotted: str) -> str | None:
        known = self._names.aliases.get(dotted)
        if known is not None:
            return known if known in self._names.kinds else None
        head, _, last = dotted.rpartition(".")
        if not head or head == dotted:
            return None
        owner = self.canonical(head)
        if owner is None:
            return None
        if owner != head:
            return self.canonical(f"{owner}.{last}")
        return self.member(owner, last)

    def same_as(self, name: str) -> str | None:
        """The name that `name` is only another name for (`torch.concat` -> `torch.cat`), or None."""
        return self._names.same_as.get(name)

    def deprecated(self, name: str) -> str | None:
        """What to use instead of a deprecated name (empty if torch does not say); None if it is not."""
        return self._names.deprecated.get(name)

    def removed_names(self) -> Iterable[str]:
        """Names that torch no longer has and old code still uses; `names` has them too."""
        return self._names.removed.keys()

    def removed(self, name: str) -> str | None:
        """The first version of torch without a name that old code still uses (empty where it is not known); None for
        all other names. Its kind and signatures are those it had."""
        return self._names.removed.get(name)

    def signatures(self, name: str) -> tuple[Signature, ...]:
        """The overloads of a function, method (without self) or constructor; empty if they are not known."""
        found = self._signatures.get(name)
        if found is None:
            raw = self._details.signatures.get(name)
            found = _SIGNATURES.decode(raw) if raw is not None else ()
            found = self._signatures[name] = with_former_parameters(name, found)
        return found

    def returns(self, name: str) -> Returns:
        """What a call gives (functions, methods, classes), or what the name holds (attributes, constants).

        Where overloads differ it is unknown: `signatures` and `binding.bind` tell which one a call takes."""
        found = self._returns.get(name)
        if found is None:
            found = self._returns[name] = self._find_returns(name)
        return found

    def _find_returns(self, name: str) -> Returns:
        kind = self.kind(name)
        if kind is None:
            return UNKNOWN
        if kind.is_class:
            return Returns(ReturnKind.TENSOR if kind is TorchKind.TENSOR_CLASS else ReturnKind.INSTANCE, name)
        if kind is TorchKind.DTYPE:
            return Returns(ReturnKind.DTYPE)
        raw = self._details.types.get(name)
        if raw is not None:
            return _RETURNS.decode(raw)
        return joined([signature.returns for signature in self.signatures(name)])

    def bases(self, class_name: str) -> tuple[str, ...]:
        """The nearest bases that have a name here."""
        return self._names.bases.get(class_name, ())

    def is_subclass(self, class_name: str, root: str) -> bool:
        """Whether the class is `root` or derived from it."""
        return class_name == root or any(self.is_subclass(base, root) for base in self.bases(class_name))

    def is_module_class(self, name: str) -> bool:
        """Whether the name is nn.Module or a class derived from it."""
        return self._names.kinds.get(name) is TorchKind.MODULE_CLASS

    def is_optimizer_class(self, name: str) -> bool:
        """Whether the name is Optimizer or a class derived from it."""
        return self._names.kinds.get(name) is TorchKind.OPTIMIZER_CLASS

    def members(self, class_name: str) -> Mapping[str, TorchKind]:
        """Member name -> kind, own and inherited ones; `member` gives the canonical name."""
        return self._members(class_name)

    def held_modules(self, class_name: str) -> Mapping[str, str]:
        """Which modules the instances of a module class hold when they are made: attribute (`fc`; `classifier.6` for a
        place in a Sequential) -> class. What is not the same in all of them is not in it."""
        return self._details.held_modules.get(class_name, {})

    def member(self, class_name: str, name: str) -> str | None:
        """The canonical name of a member: that of the class that defines it, `torch.nn.Module.train` for
        `torch.nn.Linear` and `train`. What only instances have stays with the class itself, except
        for the few root classes. None if there is no such member."""
        if name not in self._members(class_name):
            return None
        return f"{self._owners[class_name][name]}.{name}"

    def _own_members(self, class_name: str) -> dict[str, TorchKind]:
        found = self._own.get(class_name)
        if found is None:
            raw = self._names.members.get(class_name)
            found = self._own[class_name] = _MEMBERS.decode(raw) if raw is not None else {}
        return found

    def _members(self, class_name: str) -> Mapping[str, TorchKind]:
        found = self._all.get(class_name)
        if found is not None:
            return found
        if class_name not in self._names.bases:
            return _EMPTY
        merged: dict[str, TorchKind] = {}
        owners: dict[str, str] = {}
        for base in reversed(self.bases(class_name)):
            inherited = self._members(base)
            merged.update(inherited)
            for name, kind in inherited.items():
                owner = self._owners[base][name]
                stays = kind is TorchKind.INSTANCE_ATTRIBUTE and owner not in _ROOTS
                owners[name] = class_name if stays else owner
        own = self._own_members(class_name)
        merged.update(own)
        owners.update(dict.fromkeys(own, class_name))
        self._owners[class_name] = owners
        self._all[class_name] = merged
        return merged

    @functools.cached_property
    def _details(self) -> _Details:
        return self._load("details", _Details)

    def _load(self, part: str, kind: type[_Part]) -> _Part:
        source, beside = self._source, self._beside
        return load_compiled(source, part, kind, lambda: compile_torch(source, beside), beside)


@functools.cache
def torch_facts() -> TorchFacts:
    """The facts of the newest collected torch and torchvision."""
    return TorchFacts(_newest("torch"), [_newest("torchvision")])


def _newest(package: str) -> Path:
    return max(frameworks_folder().glob(f"{package}-*.json"), key=lambda path: _release(path.stem))


def _release(stem: str) -> tuple[int, ...]:
    return tuple(int(part) for part in stem.partition("-")[2].split(".") if part.isdigit())
