"""The class graph of the project, as the resolver sees it: bases, members, and what instances inherit from torch."""

from __future__ import annotations

from collections.abc import Iterator

from mindport.usage import algebra, python_model, torch_model, torch_values
from mindport.usage.applied_functions import applies_otherwise
from mindport.usage.header import library_of_name
from mindport.usage.memo import FAR_CALLERS, STRUCTURE, Memo, is_settled
from mindport.usage.overrides import takes_calls_of
from mindport.usage.types import (
    BOTTOM,
    GUESSED,
    INFERRED,
    TENSOR,
    TENSORS,
    UNKNOWN,
    Tag,
    Type,
    is_vague,
    join_all,
    make,
    members,
    sequence_of,
    weakened,
)
from mindport.usage.variables import FunctionRecord, Op, Value, Variable
from mindport.usage.world import World, short_name

# What a class that is mixed with a network may have from it; how it is made and called is its own.
_MEMBERS_OF_NETWORKS = frozenset(
    name for name in torch_model.members(torch_model.MODULE_CLASS) if not name.startswith("__")
)
_MODULE_BASES = ("Module", "Model", "Layer", "Metric", "Block", "Net", "Mixin", "Loss")


class ClassGraph(Memo):
    """Functions, classes and modules of the project."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self.world = world

    # -- functions and classes of the project

    def record_of(self, kind: Type | None) -> FunctionRecord | None:
        """The record of a function or bound method of the project."""
        if kind is None:
            return None
        if kind.payload is not None:
            record: FunctionRecord = kind.payload
            return record
        if kind.tag is Tag.PROJECT_FUNCTION or kind.tag is Tag.BOUND:
            self.world.note(("function", kind.name))
            return self.world.function(kind.name)
        return None

    def returned(self, record: FunctionRecord, stratum: int) -> Type:
        """What calling the function gives."""
        declared = UNKNOWN
        if record.return_annotation is not None:
            declared = self.type_of(record.return_annotation, STRUCTURE)
            if _is_exact(declared):
                return declared
        result = self.answer(("function", record, stratum), record.returns, stratum)
        if record.is_abstract:
            implemented = [self.returned(one, stratum) for one in self.implementations(record)]
            result = join_all(implemented) if implemented else result
        if record.is_generator:
            result = sequence_of(result)
        return declared if declared is not UNKNOWN and not is_settled(result) else result

    def implementations(self, record: FunctionRecord) -> list[FunctionRecord]:
        """The methods of subclasses that take the place of an abstract one."""
        if not record.is_abstract or not record.class_key:
            return []
        self.world.note(("overrides", record.name))
        found = []
        for one in self.world.methods(record.name):
            self.world.note(("function", one.key))
            if not one.is_abstract and self._derives(one.class_key, record.class_key):
                found.append(one)
        return found

    def _derives(self, key: str, ancestor: str, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a class of the project derives from another one of it."""
        return key not in seen and any(
            base == ancestor or self._derives(base, ancestor, seen | {key}) for base in self.own_bases(key)
        )

    def bases(self, key: str) -> list[Type]:
        """The bases of a class of the project."""
        self.world.note(("bases", key))
        entry = self.world.class_entry(key)
        return [self.type_of(base, STRUCTURE) for base in entry.bases] if entry is not None else []

    def own_bases(self, key: str) -> list[str]:
        """The keys of the bases of a class of the project that are classes of it, too."""
        parts = [part for base in self.bases(key) for part in members(base)]
        return [part.name for part in parts if part.tag is Tag.PROJECT_CLASS]

    def torch_bases(self, key: str, seen: frozenset[str] = frozenset()) -> Iterator[str]:
        """The torch classes that a class of the project derives from, in the order they are looked through."""
        if key in seen:
            return
        for base in self.bases(key):
            for part in members(base):
                if part.tag is Tag.CLASS:
                    yield part.name
                elif part.tag is Tag.PROJECT_CLASS:
                    yield from self.torch_bases(part.name, seen | {key})
                elif (
                    part.tag is Tag.EXTERNAL
                    and part.name.endswith(_MODULE_BASES)
                    and library_of_name(part.name)
                ):
                    yield torch_model.MODULE_CLASS

    def torch_base(self, key: str) -> str:
        """The first torch class that a class of the project derives from; empty if none is known."""
        return next(self.torch_bases(key), "")

    def torch_base_with(self, key: str, name: str) -> str:
        """The first torch class that a class of the project has the member from, else the first one at all. A class
        that derives from nothing of torch may be mixed with a network: `class Net(Frozen, nn.Module)`."""
        first = ""
        for torch_class in self.torch_bases(key):
            if name in torch_model.members(torch_class):
                return torch_class
            first = first or torch_class
        return first or (self._mixed_in(key, name) if name in _MEMBERS_OF_NETWORKS else "")

    def _mixed_in(self, key: str, name: str, seen: frozenset[str] = frozenset()) -> str:
        """The torch class of networks that instances of a plain class have the member from, because classes of the
        project derive from both; empty if there is none."""
        if key in seen or self.has_unknown_base(key):
            return ""
        for heir in self.heirs(key):
            networks = [one for one in self.torch_bases(heir) if torch_model.is_module_class(one)]
            having = [one for one in networks if name in torch_model.members(one)]
            found = having[0] if having else "" if networks else self._mixed_in(heir, name, seen | {key})
            if found:
                return found
        return ""

    def has_unknown_base(self, key: str, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a class derives from something that is not known, so that its members are not, either."""
        if key in seen:
            return False
        for base in self.bases(key):
            if base.tag in (Tag.UNKNOWN, Tag.BOTTOM, Tag.EXTERNAL) and not base.name.startswith(
                ("abc.", "typing.", "enum.")
            ):
                return True
            if base.tag is Tag.PROJECT_CLASS and self.has_unknown_base(base.name, seen | {key}):
                return True
        return False

    def is_module(self, kind: Type) -> bool:
        """Whether an instance is an nn.Module."""
        if kind.tag is Tag.INSTANCE:
            return torch_model.is_module_class(kind.name)
        if kind.tag is Tag.PROJECT_INSTANCE or kind.tag is Tag.PROJECT_CLASS:
            return any(map(torch_model.is_module_class, self.torch_bases(kind.name)))
        return False

    def holder(self, key: str, name: str, skip_own: bool = False, seen: tuple[str, ...] = ()) -> Type | None:
        """The class of the project or of torch that a class of the project has the member from: the class itself
        (unless `skip_own`) or a base. None where no known one has it."""
        self.world.note(("member", key, name))
        entry = self.world.class_entry(key)
        if entry is None or key in seen:
            return None
        if not skip_own and (name in entry.methods or name in entry.attributes):
            return make(Tag.PROJECT_CLASS, key)
        for base in self.bases(key):
            for part in members(base):
                if part.tag is Tag.CLASS:
                    if name in torch_model.members(part.name):
                        return part
                elif part.tag is Tag.PROJECT_CLASS:
                    found = self.holder(part.name, name, False, (*seen, key))
                    if found is not None:
                        return found
        return None

    def _member(self, key: str, name: str, stratum: int, skip_own: bool = False) -> Type | None:
        """What the class with the key, or a base of it in the project, says of the member; None if nothing."""
        holder = self.holder(key, name, skip_own)
        entry = self.world.class_entry(holder.name) if holder is not None else None
        if holder is None or holder.tag is Tag.CLASS or entry is None:
            return None
        record = entry.methods.get(name)
        if record is not None:
            return make(Tag.PROJECT_FUNCTION, record.key)
        return self.answer(("member", holder.name, name, stratum), entry.attributes[name], stratum)

    def heirs(self, key: str) -> list[str]:
        """The keys of the classes of the project that name a class as a base of theirs."""
        short = short_name(key)
        self.world.note(("derived", short))
        return [heir for heir in self.world.named_as_base(short) if key in self.own_bases(heir)]

    def _kept_by_heirs(self, key: str, name: str, stratum: int) -> Type:
        """What the classes of the project that derive from a class keep in an attribute that it leaves to them:
        `BaseAgent` trains `self.network`, and each agent makes its own."""
        waiting, kept = self.heirs(key), list[Type]()
        for heir in waiting:  # those behind it, too
            entry = self.world.class_entry(heir)
            if entry is not None and name in entry.attributes:
                kept.append(self._member(heir, name, stratum) or UNKNOWN)
            waiting += [one for one in self.heirs(heir) if one not in waiting]
        return weakened(join_all(kept), INFERRED) if kept else UNKNOWN

    def layer_by_name(self, value: Value) -> Type | None:
        """What an attribute of a value that nothing tells about, or no more than that it is some network, may be, a
        guess: the layer that all networks of the project with an attribute of that name keep there. None where other
        classes have one, or something else. One of several such attributes, `for layer in (net.a, net.b)`, is any."""
        if isinstance(value, Variable) and value.op in (Op.ELEMENT, Op.ITEM):
            held = value.base
            listed = held.detail if isinstance(held, Variable) and held.op is Op.SEQUENCE else ()
            kinds = [self.layer_by_name(one) for one in listed]
            known = [kind for kind in kinds if kind is not None]
            return join_all(known) if known and len(known) == len(kinds) else None
        if not isinstance(value, Variable) or value.op is not Op.ATTRIBUTE:
            return None
        if not is_some_network(self.type_of(value.base)):
            return None
        self.world.note(("kept", value.name))
        keepers = [make(Tag.PROJECT_INSTANCE, key) for key in self.world.keepers(value.name)]
        if not all(map(self.is_module, keepers)):
            return None
        kept = [self.attribute(keeper, value.name, FAR_CALLERS) for keeper in keepers]
        found = UNKNOWN if any(map(is_vague, kept)) else join_all(kept)
        are_layers = all(part.tag is Tag.INSTANCE and self.is_module(part) for part in members(found))
        return weakened(found, GUESSED) if keepers and are_layers else None

    def attributes_of(self, key: str) -> list[Type]:
        """The values of all attributes that a class of the project has itself."""
        entry = self.world.class_entry(key)
        owner = make(Tag.PROJECT_INSTANCE, key)
        names = () if entry is None else entry.attributes
        return [self.attribute(owner, name, FAR_CALLERS) for name in names]

    def exported(self, variable: Variable) -> Type:
        """What a module-level name refers to if it comes from another module of the project; else UNKNOWN."""
        if variable.op is Op.IMPORT:
            return self.type_of(variable)
        if variable.op is Op.GLOBAL and self.world.is_imported(variable.detail, variable.name):
            return self.type_of(variable)
        return UNKNOWN

    def defines(self, key: str, name: str, skip_own: bool = False) -> bool:
        """Whether the member of the class is the project's own, and not torch's."""
        holder = self.holder(key, name, skip_own)
        entry = self.world.class_entry(holder.name) if holder is not None else None
        if holder is None or holder.tag is Tag.CLASS or entry is None:
            return False
        return name in entry.methods or name not in torch_model.KEPT_ATTRIBUTES

    def attribute_holder(self, key: str, name: str) -> str:
        """The key of the class of the project that instances of a class have an attribute or a method from; empty
        where it is not known."""
        holder = self.holder(key, name)
        entry = self.world.class_entry(holder.name) if holder is not None else None
        return "" if holder is None or entry is None else holder.name

    def method_holders(self, name: str) -> frozenset[str]:
        """The keys of all classes of the project that define a method of this name."""
        self.world.note(("overrides", name))
        return frozenset(record.class_key for record in self.world.methods(name))

    def overridden(self, key: str, record: FunctionRecord) -> str:
        """The method of torch whose place a method of the class takes, so that torch calls it; empty for a method of
        the project's own that only has the name."""
        torch_class = self.torch_base_with(key, record.name)
        canonical = torch_model.members(torch_class).get(record.name, "") if torch_class else ""
        if not canonical.startswith("torch."):
            return ""
        is_module = torch_model.is_module_class(torch_class)
        return canonical if not is_module or takes_calls_of(record, canonical) else ""

    def overriding(self, kind: Type, name: str) -> str:
        """The method of torch that a class of the project has its own for, as an instance, the class or `super()` sees
        it; empty where it has none."""
        holder = self.holder(kind.name, name, kind.tag is Tag.SUPER)
        entry = self.world.class_entry(holder.name) if holder is not None else None
        if holder is None or holder.tag is Tag.CLASS or entry is None:
            return ""
        if name in entry.methods:
            return self.overridden(holder.name, entry.methods[name])
        # A network may choose what is run: `self.forward = self.forward_train`.
        torch_class = self.torch_base_with(holder.name, name) if name == "forward" else ""
        return torch_model.members(torch_class).get(name, "") if torch_class else ""

    def has_abstract_forward(self, kind: Type) -> bool:
        """Whether a class of the project has its `forward` from torch.nn.Module itself: others define what runs."""
        torch_class = self.torch_base_with(kind.name, "forward")
        is_own = self.defines(kind.name, "forward", kind.tag is Tag.SUPER)
        forward = torch_model.members(torch_class).get("forward", "") if torch_class else ""
        return forward == "torch.nn.Module.forward" and not is_own

    def attribute(self, base: Type, name: str, stratum: int) -> Type:
        """`base.name`."""
        tag = base.tag
        if name == python_model.PART_BY_APPLY and tag is not Tag.UNION:
            own = applies_otherwise(self, base)
            return UNKNOWN if own else self.attribute(base, "get_submodule", stratum)
        if tag is Tag.PROJECT_INSTANCE:
            found = self._member(base.name, name, stratum)
            if found is not None and found.tag is Tag.NONE:
                kept = self._kept_by_heirs(base.name, name, stratum)
                return found if kept is UNKNOWN else kept
            if found in (UNKNOWN, BOTTOM, TENSORS[GUESSED]):
                # Such as `self.targets = self.targets.clone()` in a class that derives from MNIST.
                read = torch_values.kept_by_dataset(self.torch_base(base.name), name)
                found = found if read is None else weakened(read, INFERRED)
            if found is not None and (found is not UNKNOWN or name not in torch_model.KEPT_ATTRIBUTES):
                return self._bound(found, base, stratum)
            if found is None and name == python_model.REPLACED:
                return make(Tag.METHOD, name, (base,))
            torch_base = self.torch_base_with(base.name, name)
            inherited = self._inherited(torch_base, base, name) if torch_base else UNKNOWN
            return inherited if inherited is not UNKNOWN else self._kept_by_heirs(base.name, name, stratum)
        if tag is Tag.SUPER:
            found = self._member(base.name, name, stratum, skip_own=True)
            instance = make(Tag.PROJECT_INSTANCE, base.name)
            if found is not None:
                return self._bound(found, instance, stratum)
            torch_base = self.torch_base_with(base.name, name)
            return self._inherited(torch_base, instance, name) if torch_base else UNKNOWN
        if tag is Tag.PROJECT_CLASS:
            found = self._member(base.name, name, stratum)
            if found is not None:
                record = self.record_of(found)
                if record is not None and record.is_class_method:
                    return make(Tag.BOUND, found.name, (base,))
                return found
            if name == "apply" and self.torch_base(base.name) == torch_model.AUTOGRAD_FUNCTION:
                return make(Tag.METHOD, "torch.autograd.Function.apply", (TENSOR,))
            torch_base = self.torch_base_with(base.name, name)
            return algebra.attribute(make(Tag.CLASS, torch_base), name) if torch_base else UNKNOWN
        if tag is Tag.PROJECT_MODULE:
            return self.type_of_name(base.name, name, stratum)
        if tag is Tag.UNION:
            return join_all(
                [self.attribute(part, name, stratum) for part in base.parts if algebra.may_have(part, name)]
            )
        return algebra.attribute(base, name)

    def _inherited(self, torch_class: str, instance: Type, name: str) -> Type:
        """A member that a class of the project has from a torch class."""
        if torch_model.is_tensor_class(torch_class):
            return torch_values.member_value(TENSOR, name)
        found = torch_values.member_value(make(Tag.INSTANCE, torch_class), name)
        if found.tag is Tag.METHOD:
            return make(Tag.METHOD, found.name, (make(Tag.INSTANCE, torch_class), instance))
        return found

    def _bound(self, found: Type, instance: Type, stratum: int) -> Type:
        record = self.record_of(found)
        if record is None or found.tag is not Tag.PROJECT_FUNCTION or not record.class_key:
            return found
        if record.is_property:
            return self.returned(record, stratum)
        if record.is_static:
            return found
        return make(Tag.BOUND, found.name, (instance,))

    def type_of_name(self, module: str, name: str, stratum: int) -> Type:
        """The module-level name of a module of the project."""
        self.world.note(("binding", module, name))
        key = ("binding", module, name, stratum)
        known = self.known_answer(key)
        if known is not None:
            return known
        values = self.world.bindings(module, name)
        return self.answer(key, values, stratum) if values else UNKNOWN


def is_some_network(kind: Type) -> bool:
    """Whether a value may be any network, as far as is known."""
    return is_vague(kind) or (kind.tag is Tag.INSTANCE and kind.name == torch_model.MODULE_CLASS)


def _is_exact(kind: Type) -> bool:
    """Whether an annotation says all there is to know."""
    if kind.tag in (Tag.UNKNOWN, Tag.BOTTOM, Tag.NONE, Tag.UNION, Tag.CALLABLE):
        return False
    if kind.tag is Tag.INSTANCE and kind.name == torch_model.MODULE_CLASS:
        return False
    return (
        all(_is_exact(part) for part in kind.parts)
        if kind.tag in (Tag.SEQUENCE, Tag.TUPLE, Tag.DICT)
        else True
    )
