"""Gives every variable its type, on demand, from what the units of the project say of each other.

Three strata keep it well founded. STRUCTURE knows only how values are made, EVIDENCE also weighs what is done with
them (asking STRUCTURE what callees expect), CALLERS also asks what the project passes to a parameter (as EVIDENCE types
it). A value that hangs on itself counts as nothing where the circle closes; what was computed on the way is dropped
once its head is known, so that no result depends on where the circle was entered."""

from __future__ import annotations

from typing import Protocol

from mindport.usage import algebra, evidence, torch_model
from mindport.usage.annotations import instance_of_type
from mindport.usage.types import (
    ANNOTATED,
    BOTTOM,
    CALLABLE,
    INFERRED,
    NONE,
    NUMERIC,
    STR,
    TENSOR,
    TENSORS,
    UNKNOWN,
    Tag,
    Type,
    dict_of,
    join,
    join_all,
    make,
    members,
    sequence_of,
    tuple_of,
    weakened,
)
from mindport.usage.variables import FunctionRecord, ImportRecord, Op, Parameter, Value, Variable

STRUCTURE, EVIDENCE, CALLERS = range(3)
_MAXIMAL_DEPTH = 120
_MAXIMAL_INSTANTIATIONS = 3
_NOWHERE = 1 << 30
_CALLABLES = frozenset({Tag.CLASS, Tag.FUNCTION, Tag.METHOD, Tag.PROJECT_CLASS, Tag.PROJECT_FUNCTION, Tag.BOUND})
_INSTANCES = (Tag.PROJECT_INSTANCE, Tag.INSTANCE)
_MODULE_BASES = ("Module", "Model", "Layer", "Metric", "Block", "Net", "Mixin", "Loss")


class ClassEntry:
    """A class of the project with everything its units say."""

    __slots__ = ("annotations", "attributes", "bases", "key", "methods")

    def __init__(self, key: str) -> None:
        self.key = key
        self.bases: list[Value] = []
        self.methods: dict[str, FunctionRecord] = {}
        self.attributes: dict[str, list[Value]] = {}
        self.annotations: dict[str, Value] = {}


class World(Protocol):
    """What the resolver asks the project for."""

    def bindings(self, module: str, name: str) -> list[Value]:
        """What the module-level name of the module is bound to."""

    def is_variable(self, module: str, name: str) -> bool:
        """Whether the module assigns the name, and neither imports nor defines it."""

    def is_imported(self, module: str, name: str) -> bool:
        """Whether the module has the name from another module of the project."""

    def class_entry(self, key: str) -> ClassEntry | None:
        """The class with this key."""

    def function(self, key: str) -> FunctionRecord | None:
        """The function with this key."""

    def imported(self, module: str, record: ImportRecord) -> list[Value]:
        """What an import inside a function of the module binds."""

    def arguments(self, key: str) -> dict[str, list[Value]]:
        """Parameter -> the values that calls anywhere in the project pass to the function."""


class Resolver:
    """Types of values in one state of the project."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._memo: dict[tuple[object, ...], Type] = {}
        self._active: dict[object, tuple[int, int, int]] = {}
        self._lowest = _NOWHERE
        self._provisional: list[tuple[object, ...]] = []
        self._resolved: list[Variable] = []
        self._instantiations = 0

    def forget(self) -> None:
        """Drop everything computed."""
        for variable in self._resolved:
            variable.results = None
        self._resolved = []
        self._memo = {}

    # -- variables

    def type_of(self, value: Value, stratum: int = CALLERS) -> Type:
        """The type of a value."""
        if value.__class__ is Type:
            return value  # type: ignore[return-value]
        results = value.results  # type: ignore[union-attr]
        if results is not None:
            known = results[stratum]
            if known is not None:
                return known
        return self._solve(value, stratum)  # type: ignore[arg-type]

    def _solve(self, variable: Variable, stratum: int) -> Type:
        # Long chains (x = f(x) a thousand times) are solved from their start, without recursion.
        chain = [variable]
        base = variable.base
        while base.__class__ is Variable and base.op is not Op.PARAMETER:  # type: ignore[union-attr]
            results = base.results  # type: ignore[union-attr]
            if results is not None and results[stratum] is not None:
                break
            chain.append(base)  # type: ignore[arg-type]
            if len(chain) > 2000:
                break
            base = base.base  # type: ignore[union-attr]
        result = UNKNOWN
        for part in reversed(chain):
            if part.results is None or part.results[stratum] is None:
                result = self._solve_one(part, stratum)
            else:
                result = part.results[stratum]  # type: ignore[assignment]
        return result

    def _solve_one(self, variable: Variable, stratum: int) -> Type:
        if stratum:
            below = self.type_of(variable, stratum - 1)
            if _is_settled(below):
                results = variable.results
                if results is not None and results[stratum - 1] is not None:
                    results[stratum] = below
                    if self._active:
                        self._provisional.append((variable, stratum))
                return below
        key = (variable, stratum)
        if key in self._active:
            return self._cut(key)
        frame = self._enter(key)
        if frame is None:
            return UNKNOWN
        result = self._compute(variable, stratum)
        if variable.results is None:
            variable.results = [None, None, None]
            self._resolved.append(variable)
        variable.results[stratum] = result
        self._leave(key, frame)
        return result

    # -- circles

    def _cut(self, key: object) -> Type:
        """The value of what is being computed already."""
        self._lowest = min(self._lowest, self._active[key][0])
        return BOTTOM

    def _enter(self, key: object) -> tuple[int, int, int] | None:
        """Begin to compute something; None where that would go too deep."""
        depth = len(self._active)
        if depth > _MAXIMAL_DEPTH:
            self._lowest = 0
            return None
        frame = self._active[key] = (depth, self._lowest, len(self._provisional))
        self._lowest = _NOWHERE
        return frame

    def _leave(self, key: object, frame: tuple[int, int, int]) -> None:
        """End it. What hangs on something still being computed stays only until that is known."""
        depth, outer_lowest, mark = frame
        del self._active[key]
        if self._lowest >= depth:
            if self._lowest == depth:
                for other in self._provisional[mark:]:
                    self._drop(other)
            del self._provisional[mark:]
            self._lowest = outer_lowest
        else:
            self._provisional.append(key)  # type: ignore[arg-type]
            self._lowest = min(self._lowest, outer_lowest)

    def _drop(self, key: tuple[object, ...]) -> None:
        first = key[0]
        if first.__class__ is Variable and len(key) == 2:
            results = first.results  # type: ignore[attr-defined]
            if results is not None:
                for stratum in range(key[1], 3):  # type: ignore[call-overload]
                    results[stratum] = None
        else:
            self._memo.pop(key, None)

    def _memoized(self, key: tuple[object, ...], values: list[Value], stratum: int) -> Type:
        """The join of values, computed once for the key."""
        known = self._memo.get(key)
        if known is not None:
            return known
        if key in self._active:
            return self._cut(key)
        frame = self._enter(key)
        if frame is None:
            return UNKNOWN
        result = self._memo[key] = join_all([self.type_of(value, stratum) for value in values])
        self._leave(key, frame)
        return result

    def _compute(self, variable: Variable, stratum: int) -> Type:
        result = _RULES[variable.op](self, variable, stratum)
        if stratum and (result is UNKNOWN or result is BOTTOM):
            return self._by_evidence(variable, stratum, result)
        return result

    def _by_evidence(self, variable: Variable, stratum: int, result: Type) -> Type:
        uses = variable.uses
        if uses is None and variable.passed is None:
            return result
        if variable.op is Op.IMPORT or (variable.op is Op.GLOBAL and not self.world.is_variable(variable.detail, variable.name)):
            return result
        collected = set(uses) if uses is not None else set()
        if variable.passed is not None:
            for callee, place in variable.passed:
                expected = self._expectation(callee, place, stratum)
                if expected:
                    collected.add(expected)
        if not collected:
            return result
        prior = 0.0
        if variable.op is Op.CALL and variable.base is not None:
            callee = self.type_of(variable.base, stratum)
            if callee.tag in _INSTANCES and self.is_module(callee):
                prior = 2.0
            elif callee.tag in (Tag.UNKNOWN, Tag.CALLABLE) and variable.base.__class__ is Variable:
                owner = variable.base.base
                if owner.__class__ is Type and owner.tag is Tag.PROJECT_INSTANCE and self.is_module(owner):
                    prior = 1.5
        found = evidence.decided(frozenset(collected), prior)
        return result if found is UNKNOWN else found

    # -- what a callee expects

    def _expectation(self, callee: Value, place: int | str, stratum: int) -> str:
        """The sign that passing a value at this place of a call is."""
        kind = self.type_of(callee, STRUCTURE)
        tag = kind.tag
        if tag is Tag.FUNCTION or tag is Tag.METHOD:
            name = kind.name
            if tag is Tag.METHOD and kind.parts and kind.parts[0].tag not in (Tag.TENSOR, Tag.INSTANCE):
                return "@not_tensor" if kind.parts[0].tag is Tag.STR else ""
            expected = torch_model.expects_tensor(name)
            if isinstance(place, str):
                names = torch_model.parameter_names(name)
                if place not in names:
                    return ""
                place = names.index(place)
            if place < len(expected) and expected[place]:
                return "@" + expected[place]
            return ""
        if tag is Tag.INSTANCE:
            return "@module_input" if place == 0 and torch_model.is_module_class(kind.name) else ""
        if tag is Tag.PROJECT_FUNCTION or tag is Tag.BOUND:
            record = self.record_of(kind)
            return self._parameter_sign(record, place) if record is not None else ""
        if tag is Tag.PROJECT_INSTANCE:
            found = self.attribute(kind, "forward", STRUCTURE)
            record = self.record_of(found)
            if record is not None:
                return self._parameter_sign(record, place)
            return "@module_input" if place == 0 and self.is_module(kind) else ""
        if tag is Tag.PROJECT_CLASS:
            found = self._member(kind.name, "__init__", STRUCTURE)
            record = self.record_of(found) if found is not None else None
            return self._parameter_sign(record, place) if record is not None else ""
        return ""

    def _parameter_sign(self, record: FunctionRecord, place: int | str) -> str:
        parameter = _parameter_at(record, place)
        if parameter is None or parameter.annotation is None:
            return ""
        kind = self.type_of(parameter.annotation, STRUCTURE)
        if kind.tag is Tag.TENSOR:
            return "@annotated_tensor"
        if kind.tag in (Tag.INT, Tag.STR, Tag.FLOAT, Tag.BOOL, Tag.DICT):
            return "@not_tensor"
        return ""

    # -- functions and classes of the project

    def record_of(self, kind: Type | None) -> FunctionRecord | None:
        """The record of a function or bound method of the project."""
        if kind is None:
            return None
        if kind.payload is not None:
            return kind.payload  # type: ignore[no-any-return]
        if kind.tag is Tag.PROJECT_FUNCTION or kind.tag is Tag.BOUND:
            return self.world.function(kind.name)
        return None

    def returned(self, record: FunctionRecord, stratum: int) -> Type:
        """What calling the function gives."""
        declared = UNKNOWN
        if record.return_annotation is not None:
            declared = self.type_of(record.return_annotation, STRUCTURE)
            if _is_exact(declared):
                return declared
        result = self._memoized((record, stratum), record.returns, stratum)
        if record.is_generator:
            result = sequence_of(result)
        return declared if declared is not UNKNOWN and not _is_settled(result) else result

    def bases(self, key: str) -> list[Type]:
        """The bases of a class of the project."""
        entry = self.world.class_entry(key)
        return [self.type_of(base, STRUCTURE) for base in entry.bases] if entry is not None else []

    def torch_base(self, key: str, seen: frozenset[str] = frozenset()) -> str:
        """The first torch class that a class of the project derives from; empty if none is known."""
        if key in seen:
            return ""
        for base in self.bases(key):
            for part in members(base):
                if part.tag is Tag.CLASS:
                    return part.name
                if part.tag is Tag.PROJECT_CLASS:
                    found = self.torch_base(part.name, seen | {key})
                    if found:
                        return found
                if part.tag is Tag.EXTERNAL and part.name.endswith(_MODULE_BASES) and self._is_library(part.name):
                    return torch_model.MODULE_CLASS
        return ""

    def has_unknown_base(self, key: str, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a class derives from something that is not known, so that its members are not, either."""
        if key in seen:
            return False
        for base in self.bases(key):
            if base.tag in (Tag.UNKNOWN, Tag.BOTTOM, Tag.EXTERNAL) and not base.name.startswith(("abc.", "typing.", "enum.")):
                return True
            if base.tag is Tag.PROJECT_CLASS and self.has_unknown_base(base.name, seen | {key}):
                return True
        return False

    @staticmethod
    def _is_library(name: str) -> bool:
        from mindport.registry.libraries import BUILT_ON_TORCH

        return name.partition(".")[0] in BUILT_ON_TORCH

    def is_module(self, kind: Type) -> bool:
        """Whether an instance is an nn.Module."""
        if kind.tag is Tag.INSTANCE:
            return torch_model.is_module_class(kind.name)
        if kind.tag is Tag.PROJECT_INSTANCE or kind.tag is Tag.PROJECT_CLASS:
            base = self.torch_base(kind.name)
            return bool(base) and torch_model.is_module_class(base)
        return False

    def _member(self, key: str, name: str, stratum: int, seen: tuple[str, ...] = (), skip_own: bool = False) -> Type | None:
        """What the class with the key, or a base of it in the project, says of the member; None if nothing."""
        entry = self.world.class_entry(key)
        if entry is None or key in seen:
            return None
        if not skip_own:
            record = entry.methods.get(name)
            if record is not None:
                return make(Tag.PROJECT_FUNCTION, record.key)
            values = entry.attributes.get(name)
            if values is not None:
                return self._memoized((key, name, stratum), values, stratum)
        for base in self.bases(key):
            for part in members(base):
                if part.tag is Tag.PROJECT_CLASS:
                    found = self._member(part.name, name, stratum, (*seen, key))
                    if found is not None:
                        return found
        return None

    def exported(self, variable: Variable) -> Type:
        """What a module-level name refers to if it comes from another module of the project; else UNKNOWN."""
        if variable.op is Op.IMPORT:
            return self.type_of(variable)
        if variable.op is Op.GLOBAL and self.world.is_imported(variable.detail, variable.name):
            return self.type_of(variable)
        return UNKNOWN

    def defines(self, key: str, name: str, skip_own: bool = False) -> bool:
        """Whether the class (unless `skip_own`) or a base of it in the project defines the member itself."""
        return self._defines(key, name, (), skip_own)

    def _defines(self, key: str, name: str, seen: tuple[str, ...], skip_own: bool = False) -> bool:
        entry = self.world.class_entry(key)
        if entry is None or key in seen:
            return False
        if not skip_own and (name in entry.methods or name in entry.attributes):
            return True
        return any(
            part.tag is Tag.PROJECT_CLASS and self._defines(part.name, name, (*seen, key))
            for base in self.bases(key)
            for part in members(base)
        )

    # -- expressions

    def attribute(self, base: Type, name: str, stratum: int) -> Type:
        """`base.name`."""
        tag = base.tag
        if tag is Tag.PROJECT_INSTANCE:
            found = self._member(base.name, name, stratum)
            if found is not None:
                return self._bound(found, base, stratum)
            torch_base = self.torch_base(base.name)
            if torch_base:
                return self._inherited(torch_base, base, name)
            return UNKNOWN
        if tag is Tag.SUPER:
            found = self._member(base.name, name, stratum, skip_own=True)
            instance = make(Tag.PROJECT_INSTANCE, base.name)
            if found is not None:
                return self._bound(found, instance, stratum)
            torch_base = self.torch_base(base.name)
            return self._inherited(torch_base, instance, name) if torch_base else UNKNOWN
        if tag is Tag.PROJECT_CLASS:
            found = self._member(base.name, name, stratum)
            if found is not None:
                record = self.record_of(found)
                if record is not None and record.is_class_method:
                    return make(Tag.BOUND, found.name, (base,))
                return found
            if name == "apply" and self.torch_base(base.name) == "torch.autograd.Function":
                return make(Tag.METHOD, "torch.autograd.Function.apply", (TENSOR,))
            torch_base = self.torch_base(base.name)
            return algebra.attribute(make(Tag.CLASS, torch_base), name) if torch_base else UNKNOWN
        if tag is Tag.PROJECT_MODULE:
            return self.module_member(base.name, name, stratum)
        if tag is Tag.UNION:
            return join_all([self.attribute(part, name, stratum) for part in base.parts])
        return algebra.attribute(base, name)

    def _inherited(self, torch_class: str, instance: Type, name: str) -> Type:
        """A member that a class of the project has from a torch class."""
        if torch_model.is_tensor_class(torch_class):
            return torch_model.member_value(TENSOR, name)
        found = torch_model.member_value(make(Tag.INSTANCE, torch_class), name)
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

    def module_member(self, module: str, name: str, stratum: int) -> Type:
        """The module-level name of a module of the project."""
        key = ("module", module, name, stratum)
        known = self._memo.get(key)
        if known is not None:
            return known
        values = self.world.bindings(module, name)
        return self._memoized(key, values, stratum) if values else UNKNOWN

    def call(self, callee: Type, positional: list[Value], keywords: dict[str, Value], stratum: int) -> Type:
        """`callee(...)`."""
        tag = callee.tag
        if tag is Tag.PROJECT_CLASS:
            if self.torch_base(callee.name) and torch_model.is_tensor_class(self.torch_base(callee.name)):
                return TENSOR
            return make(Tag.PROJECT_INSTANCE, callee.name)
        if tag is Tag.PROJECT_FUNCTION or tag is Tag.BOUND:
            record = self.record_of(callee)
            if record is None:
                return UNKNOWN
            result = self.returned(record, stratum)
            if not _is_settled(result):
                result = self._instantiated(record, positional, keywords, stratum, result)
            return weakened(result, INFERRED) if result.tag is Tag.TENSOR and result.level == ANNOTATED - 3 else result
        if tag is Tag.PROJECT_INSTANCE:
            if self.is_module(callee):
                forward = self.attribute(callee, "forward", stratum)
                if forward.tag is Tag.METHOD:
                    torch_class = make(Tag.INSTANCE, self.torch_base(callee.name))
                    return algebra.call(torch_class, self._types(positional, stratum), {})
            else:
                forward = self.attribute(callee, "__call__", stratum)
                if forward is UNKNOWN:
                    forward = self.attribute(callee, "forward", stratum)
            return self.call(forward, positional, keywords, stratum) if forward.tag is not Tag.UNKNOWN else UNKNOWN
        if tag is Tag.METHOD:
            if len(callee.parts) == 2:
                result = algebra.call(make(Tag.METHOD, callee.name, callee.parts[:1]), self._types(positional, stratum), {})
                return callee.parts[1] if result is callee.parts[0] else result
            if callee.name == "torch.autograd.Function.apply":
                return TENSORS[INFERRED]
            if callee.name == "functools.partial":
                return self.call(callee.parts[0], positional, keywords, stratum)
        if tag is Tag.UNION:
            return join_all([self.call(part, positional, keywords, stratum) for part in callee.parts])
        types = self._types(positional, stratum)
        if tag is Tag.BUILTIN and callee.name == "map" and len(positional) >= 2:
            element = self.element(types[1], stratum)
            return sequence_of(self.call(types[0], [element], {}, stratum))
        if tag is Tag.BUILTIN and any(kind.tag is Tag.PROJECT_INSTANCE for kind in types):
            types = [sequence_of(self.element(kind, stratum)) if kind.tag is Tag.PROJECT_INSTANCE else kind for kind in types]
        return algebra.call(callee, types, {name: self.type_of(value, stratum) for name, value in keywords.items()})

    def callee_of(self, call: Variable) -> tuple[FunctionRecord, int] | None:
        """The function of the project that a call reaches, and how many leading arguments are not its parameters."""
        callee = self.type_of(call.base, STRUCTURE)  # type: ignore[arg-type]
        if callee.tag is Tag.PROJECT_CLASS:
            found = self._member(callee.name, "__init__", STRUCTURE)
            record = self.record_of(found)
        elif callee.tag is Tag.PROJECT_INSTANCE:
            name = "forward" if self.is_module(callee) else "__call__"
            record = self.record_of(self._member(callee.name, name, STRUCTURE))
        elif callee.tag in (Tag.PROJECT_FUNCTION, Tag.BOUND):
            record = self.record_of(callee)
            if record is not None and callee.tag is Tag.PROJECT_FUNCTION and record.class_key and not record.is_static:
                return record, 1
        else:
            return None
        return None if record is None else (record, 0)

    def _types(self, values: list[Value], stratum: int) -> list[Type]:
        return [self.type_of(value, stratum) for value in values]

    def _instantiated(
        self, record: FunctionRecord, positional: list[Value], keywords: dict[str, Value], stratum: int, general: Type
    ) -> Type:
        """The result for these arguments of a function that hands its parameters through, such as
        `def default(value, other): return value if value is not None else other`."""
        if self._instantiations >= _MAXIMAL_INSTANTIATIONS:
            # Results on the way here would differ if they were asked for directly: they stay provisional.
            self._lowest = 0
            return general
        self._instantiations += 1
        found = BOTTOM
        for value in record.returns:
            kind = self._substituted(value, record, positional, keywords, stratum, 0)
            if kind is None:
                found = general
                break
            found = join(found, kind)
        self._instantiations -= 1
        return general if found is BOTTOM else found

    def _substituted(
        self, value: Value, record: FunctionRecord, positional: list[Value], keywords: dict[str, Value], stratum: int, depth: int
    ) -> Type | None:
        if value.__class__ is Type:
            return value  # type: ignore[return-value]
        if depth > 4:
            return None
        op = value.op  # type: ignore[union-attr]
        if op is Op.PARAMETER:
            parameter: Parameter = value.detail  # type: ignore[union-attr]
            if record.parameters.get(parameter.name) is not parameter:
                return None
            if parameter.name in keywords:
                return self.type_of(keywords[parameter.name], stratum)
            if 0 <= parameter.position < len(positional):
                return self.type_of(positional[parameter.position], stratum)
            return self.type_of(parameter.default, stratum) if parameter.default is not None else None
        parts: list[Value] = []
        if op is Op.JOIN:
            parts = [value.base, *value.detail]  # type: ignore[union-attr,list-item]
        elif op is Op.SEQUENCE:
            parts = value.detail  # type: ignore[union-attr]
        elif op is Op.CALL:
            base = self.type_of(value.base, stratum)  # type: ignore[union-attr,arg-type]
            if base.tag is Tag.BUILTIN or base.tag is Tag.EXTERNAL or base.tag is Tag.PROJECT_FUNCTION:
                arguments = [
                    self._substituted(part, record, positional, keywords, stratum, depth + 1)
                    for part in value.detail[0]  # type: ignore[union-attr]
                ]
                if None not in arguments and base.tag is not Tag.PROJECT_FUNCTION:
                    return self.call(base, arguments, {}, stratum)  # type: ignore[arg-type]
            return self.type_of(value, stratum)
        else:
            return self.type_of(value, stratum)
        found = [self._substituted(part, record, positional, keywords, stratum, depth + 1) for part in parts]
        if None in found:
            return None
        if op is Op.SEQUENCE:
            return tuple_of(found) if value.name == "tuple" else sequence_of(join_all(found))  # type: ignore
        return join_all(found)  # type: ignore[arg-type]

    def element(self, base: Type, stratum: int) -> Type:
        """What iterating over `base` gives."""
        if base.tag is Tag.PROJECT_INSTANCE:
            method = self.attribute(base, "__iter__", stratum)
            if method.tag is Tag.BOUND:
                return self.element(self.call(method, [], {}, stratum), stratum)
            method = self.attribute(base, "__getitem__", stratum)
            if method.tag is Tag.BOUND:
                return self.call(method, [], {}, stratum)
            torch_base = self.torch_base(base.name)
            return algebra.element(make(Tag.INSTANCE, torch_base)) if torch_base else UNKNOWN
        if base.tag is Tag.UNION:
            return join_all([self.element(part, stratum) for part in base.parts])
        return algebra.element(base)

    # -- the rules, one for each Op

    def _global(self, variable: Variable, stratum: int) -> Type:
        return self.module_member(variable.detail, variable.name, stratum)

    def _import(self, variable: Variable, stratum: int) -> Type:
        module, record = variable.detail
        return join_all([self.type_of(value, stratum) for value in self.world.imported(module, record)])

    def _attribute(self, variable: Variable, stratum: int) -> Type:
        base = self.type_of(variable.base, stratum)  # type: ignore[arg-type]
        return base if base is BOTTOM else self.attribute(base, variable.name, stratum)

    def _call(self, variable: Variable, stratum: int) -> Type:
        callee = self.type_of(variable.base, stratum)  # type: ignore[arg-type]
        if callee is UNKNOWN or callee is BOTTOM:
            return callee
        positional, keywords = variable.detail
        return self.call(callee, positional, keywords, stratum)

    def _element(self, variable: Variable, stratum: int) -> Type:
        base = self.type_of(variable.base, stratum)  # type: ignore[arg-type]
        return base if base is BOTTOM else self.element(base, stratum)

    def _item(self, variable: Variable, stratum: int) -> Type:
        base = self.type_of(variable.base, stratum)  # type: ignore[arg-type]
        if base is BOTTOM or base is UNKNOWN:
            return base
        index, index_value = variable.detail
        if base.tag is Tag.PROJECT_INSTANCE:
            method = self.attribute(base, "__getitem__", stratum)
            if method.tag is Tag.BOUND:
                return self.call(method, [index_value], {}, stratum)
            torch_base = self.torch_base(base.name)
            return algebra.item(make(Tag.INSTANCE, torch_base), index, UNKNOWN) if torch_base else UNKNOWN
        return algebra.item(base, index, self.type_of(index_value, stratum))

    def _unpack(self, variable: Variable, stratum: int) -> Type:
        base = self.type_of(variable.base, stratum)  # type: ignore[arg-type]
        if base is BOTTOM:
            return base
        index, count = variable.detail
        return algebra.unpacked(base, index, count) if base.tag is not Tag.PROJECT_INSTANCE else self.element(base, stratum)

    def _binary(self, variable: Variable, stratum: int) -> Type:
        left = self.type_of(variable.base, stratum)  # type: ignore[arg-type]
        right = self.type_of(variable.detail, stratum) if variable.detail is not None else None
        if left is BOTTOM:
            return right if right is not None and right.tag is Tag.TENSOR else left
        if right is BOTTOM:
            return left if left.tag is Tag.TENSOR else right
        if left.tag is Tag.PROJECT_INSTANCE:
            method = self.attribute(left, variable.name, stratum)
            return self.call(method, [], {}, stratum) if method.tag is Tag.BOUND else UNKNOWN
        return algebra.binary(variable.name, left, right)

    def _join(self, variable: Variable, stratum: int) -> Type:
        result = self.type_of(variable.base, stratum)  # type: ignore[arg-type]
        for value in variable.detail:
            result = join(result, self.type_of(value, stratum))
        return result

    def _sequence(self, variable: Variable, stratum: int) -> Type:
        parts = [self.type_of(value, stratum) for value in variable.detail]
        if variable.name == "tuple":
            return tuple_of(UNKNOWN if part is BOTTOM else part for part in parts)
        return sequence_of(join_all(parts))

    def _dict(self, variable: Variable, stratum: int) -> Type:
        return dict_of(STR, join_all([self.type_of(value, stratum) for value in variable.detail]))

    def _loop(self, variable: Variable, stratum: int) -> Type:
        first = self.type_of(variable.base, stratum)  # type: ignore[arg-type]
        for value in variable.detail:
            again = self.type_of(value, stratum)
            if first.tag in NUMERIC and again.tag is Tag.TENSOR:
                return again  # a sum that starts at 0
            first = join(first, again)
        return first

    def _annotation(self, variable: Variable, stratum: int) -> Type:
        base = self.type_of(variable.base, stratum)  # type: ignore[arg-type]
        if base.tag is Tag.UNION:
            return join_all(map(instance_of_type, base.parts))
        return instance_of_type(base)

    def _except(self, variable: Variable, stratum: int) -> Type:
        base = self.type_of(variable.base, stratum)  # type: ignore[arg-type]
        rest = [part for part in members(base) if part.tag is not variable.detail]
        return join_all(rest) if rest else UNKNOWN

    def _parameter(self, variable: Variable, stratum: int) -> Type:
        parameter: Parameter = variable.detail
        declared = UNKNOWN
        if parameter.annotation is not None:
            declared = self.type_of(parameter.annotation, STRUCTURE)
            if declared is CALLABLE and parameter.default is not None:
                given = self.type_of(parameter.default, STRUCTURE)
                return given if given.tag in _CALLABLES else declared
            if declared is not UNKNOWN and declared is not NONE and declared is not BOTTOM:
                return declared
        return self._parameter_by_default(variable, parameter, stratum)

    def _parameter_by_default(self, variable: Variable, parameter: Parameter, stratum: int) -> Type:
        default = self.type_of(parameter.default, STRUCTURE) if parameter.default is not None else UNKNOWN
        if stratum == CALLERS:
            passed = self._passed(variable, parameter)
            if passed is not UNKNOWN and passed is not BOTTOM:
                return join(passed, default) if default.tag not in (Tag.UNKNOWN, Tag.BOTTOM) else passed
        if default.tag in _CALLABLES:
            return default
        if stratum == STRUCTURE or default.tag in (Tag.NONE, Tag.UNKNOWN, Tag.BOTTOM):
            return UNKNOWN
        found = self._by_evidence(variable, stratum, UNKNOWN)
        return found if found.tag is Tag.TENSOR and found.level >= INFERRED else default

    def _passed(self, variable: Variable, parameter: Parameter) -> Type:
        """What callers pass."""
        values = self.world.arguments(parameter.owner).get(parameter.name)
        if not values:
            return UNKNOWN
        found = [self.type_of(value, EVIDENCE) for value in values]
        known = [kind for kind in found if kind is not UNKNOWN and kind is not BOTTOM]
        if len(known) * 2 < len(found):
            return UNKNOWN
        return weakened(join_all(known), INFERRED)

    @property
    def _active_variables(self) -> dict[object, int]:
        return self._active

_RULES = {
    Op.PARAMETER: Resolver._parameter,
    Op.GLOBAL: Resolver._global,
    Op.IMPORT: Resolver._import,
    Op.ATTRIBUTE: Resolver._attribute,
    Op.CALL: Resolver._call,
    Op.ELEMENT: Resolver._element,
    Op.ITEM: Resolver._item,
    Op.UNPACK: Resolver._unpack,
    Op.BINARY: Resolver._binary,
    Op.JOIN: Resolver._join,
    Op.SEQUENCE: Resolver._sequence,
    Op.DICT: Resolver._dict,
    Op.LOOP: Resolver._loop,
    Op.ANNOTATION: Resolver._annotation,
    Op.EXCEPT: Resolver._except,
}


def _parameter_at(record: FunctionRecord, place: int | str) -> Parameter | None:
    if isinstance(place, str):
        return record.parameters.get(place)
    for parameter in record.parameters.values():
        if parameter.position == place:
            return parameter
    return None


def _is_settled(kind: Type) -> bool:
    """Whether the second stratum could say nothing better."""
    if kind is UNKNOWN or kind is BOTTOM or kind is NONE:
        return False
    if kind.tag is Tag.TENSOR:
        return kind.level >= INFERRED
    if kind.tag in (Tag.SEQUENCE, Tag.TUPLE, Tag.DICT, Tag.UNION):
        return all(_is_settled(part) or part is NONE for part in kind.parts)
    return True


def _is_exact(kind: Type) -> bool:
    """Whether an annotation says all there is to know."""
    if kind.tag in (Tag.UNKNOWN, Tag.BOTTOM, Tag.NONE, Tag.UNION, Tag.CALLABLE):
        return False
    if kind.tag is Tag.INSTANCE and kind.name == torch_model.MODULE_CLASS:
        return False
    return all(_is_exact(part) for part in kind.parts) if kind.tag in (Tag.SEQUENCE, Tag.TUPLE, Tag.DICT) else True
