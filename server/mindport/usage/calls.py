"""What calls of functions and instances of the project give, and what iterating over instances does."""

from __future__ import annotations

from mindport.usage import algebra, torch_model
from mindport.usage.classes import ClassGraph
from mindport.usage.memo import STRUCTURE, is_settled
from mindport.usage.torch_calls import gives_another
from mindport.usage.types import (
    BOTTOM,
    GUESSED,
    INFERRED,
    OF_NETWORK,
    TENSOR,
    TENSORS,
    UNKNOWN,
    Tag,
    Type,
    join,
    join_all,
    make,
    members,
    sequence_of,
    tuple_of,
)
from mindport.usage.variables import FunctionRecord, Op, ParameterRecord, Value, Variable
from mindport.usage.world import World

_MAXIMAL_INSTANTIATIONS = 3
_MAXIMAL_SUBSTITUTION = 6


class CallGraph(ClassGraph):
    """Calls within the project."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._instantiations = 0

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
            # Each call passes others to `*args`.
            if not is_settled(result) or any(one.kind == 1 for one in record.parameters.values()):
                result = self._instantiated(record, positional, keywords, stratum, result)
            return result
        if tag is Tag.PROJECT_INSTANCE:
            if self.is_module(callee):
                forward = self.attribute(callee, "forward", stratum)
                if forward.tag is Tag.METHOD:
                    torch_class = make(Tag.INSTANCE, self.torch_base_with(callee.name, "forward"))
                    return algebra.call(torch_class, self._types(positional, stratum), {})
            else:
                forward = self.attribute(callee, "__call__", stratum)
                if forward is UNKNOWN:
                    forward = self.attribute(callee, "forward", stratum)
            result = (
                self.call(forward, positional, keywords, stratum)
                if forward.tag is not Tag.UNKNOWN
                else UNKNOWN
            )
            is_of_network = result is UNKNOWN and callee.level > GUESSED and self.is_module(callee)
            return OF_NETWORK if is_of_network else result
        if tag is Tag.METHOD:
            if len(callee.parts) == 2:
                result = algebra.call(
                    make(Tag.METHOD, callee.name, callee.parts[:1]), self._types(positional, stratum), {}
                )
                is_itself = result is callee.parts[0] and not gives_another(callee)
                return callee.parts[1] if is_itself else result
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
            types = [
                sequence_of(self.element(kind, stratum)) if kind.tag is Tag.PROJECT_INSTANCE else kind
                for kind in types
            ]
        return algebra.call(
            callee, types, {name: self.type_of(value, stratum) for name, value in keywords.items()}
        )

    def callee_of(self, call: Variable) -> tuple[FunctionRecord, int] | None:
        """The only function of the project that a call may reach, and how many leading arguments are not its
        parameters."""
        callee = self.type_of(call.base, STRUCTURE)
        return None if callee.tag is Tag.UNION else self._reached(callee)

    def callees_of(self, call: Variable) -> tuple[tuple[FunctionRecord, int], ...]:
        """The functions of the project that a call may reach, as `callee_of` gives one: several where it is a choice
        between networks, `a if x else b`, or an entry of a table of functions, that is called."""
        callee = self.type_of(call.base, STRUCTURE)
        found = {one[0].key: one for part in members(callee) if (one := self._reached(part)) is not None}
        return tuple(found.values())

    def _reached(self, callee: Type) -> tuple[FunctionRecord, int] | None:
        if callee.tag is Tag.PROJECT_CLASS:
            found = self._member(callee.name, "__init__", STRUCTURE)
            record = self.record_of(found)
        elif callee.tag is Tag.PROJECT_INSTANCE:
            name = "forward" if self.is_module(callee) else "__call__"
            record = self.record_of(self._member(callee.name, name, STRUCTURE))
        elif callee.tag in (Tag.PROJECT_FUNCTION, Tag.BOUND):
            record = self.record_of(callee)
            if (
                record is not None
                and callee.tag is Tag.PROJECT_FUNCTION
                and record.class_key
                and not record.is_static
            ):
                return record, 1
        else:
            return None
        return None if record is None else (record, 0)

    def _types(self, values: list[Value], stratum: int) -> list[Type]:
        return [self.type_of(value, stratum) for value in values]

    def _instantiated(
        self,
        record: FunctionRecord,
        positional: list[Value],
        keywords: dict[str, Value],
        stratum: int,
        general: Type,
    ) -> Type:
        """The result for these arguments of a function that hands its parameters through, such as
        `def default(value, other): return value if value is not None else other`."""
        if self._instantiations >= _MAXIMAL_INSTANTIATIONS:
            # Results on the way here would differ if they were asked for directly: they stay provisional.
            self.stay_provisional()
            return general
        self._instantiations += 1
        found = BOTTOM
        for value in record.returns:
            kind = self._substituted(value, record, positional, keywords, stratum, 0)
            if kind is None:
                found = general
                break
            found = join(found, sequence_of(kind) if record.is_generator else kind)
        self._instantiations -= 1
        return general if found is BOTTOM else found

    def _substituted(
        self,
        value: Value,
        record: FunctionRecord,
        positional: list[Value],
        keywords: dict[str, Value],
        stratum: int,
        depth: int,
    ) -> Type | None:
        if isinstance(value, Type):
            return value
        if depth > _MAXIMAL_SUBSTITUTION:
            return None
        op = value.op
        if op is Op.PARAMETER:
            parameter: ParameterRecord = value.detail
            if record.parameters.get(parameter.name) is not parameter:
                return None
            if parameter.kind == 1:
                rest = positional[_number_of_named(record) :]
                return join_all([self.type_of(given, stratum) for given in rest]) if rest else None
            if parameter.name in keywords:
                return self.type_of(keywords[parameter.name], stratum)
            if 0 <= parameter.position < len(positional):
                return self.type_of(positional[parameter.position], stratum)
            return self.type_of(parameter.default, stratum) if parameter.default is not None else None
        if op is Op.JOIN:
            parts = [value.base, *value.detail]
        elif op is Op.SEQUENCE:
            parts = value.detail
        elif op is Op.CALL:
            return self._substituted_call(value, record, positional, keywords, stratum, depth)
        elif op is Op.ELEMENT or op is Op.ATTRIBUTE:
            base = self._substituted(value.base, record, positional, keywords, stratum, depth + 1)
            if base is None:
                return None
            is_element = op is Op.ELEMENT
            return self.element(base, stratum) if is_element else self.attribute(base, value.name, stratum)
        else:
            return self.type_of(value, stratum)
        found: list[Type] = []
        for part in parts:
            kind = self._substituted(part, record, positional, keywords, stratum, depth + 1)
            if kind is None:
                return None
            found.append(kind)
        if op is Op.SEQUENCE:
            return tuple_of(found) if value.name == "tuple" else sequence_of(join_all(found))
        return join_all(found)

    def _substituted_call(
        self,
        value: Variable,
        record: FunctionRecord,
        positional: list[Value],
        keywords: dict[str, Value],
        stratum: int,
        depth: int,
    ) -> Type:
        """A call inside such a function: of a builtin, of another package, or of a method of what is handed through."""
        if isinstance(value.base, Variable) and value.base.op is Op.ATTRIBUTE:
            method = self._substituted(value.base, record, positional, keywords, stratum, depth + 1)
            if method is not None and method is not UNKNOWN:
                return self.call(method, value.detail[0], value.detail[1], stratum)
        base = self.type_of(value.base, stratum)
        if base.tag is Tag.BUILTIN or base.tag is Tag.EXTERNAL:
            arguments: list[Value] = []
            for part in value.detail[0]:
                kind = self._substituted(part, record, positional, keywords, stratum, depth + 1)
                if kind is None:
                    break
                arguments.append(kind)
            else:
                return self.call(base, arguments, {}, stratum)
        return self.type_of(value, stratum)

    def element(self, base: Type, stratum: int) -> Type:
        """What iterating over `base` gives."""
        if base.tag is Tag.PROJECT_INSTANCE:
            method = self.attribute(base, "__iter__", stratum)
            if method.tag is Tag.BOUND:
                iterator = self.call(method, [], {}, stratum)
                if iterator.tag is not Tag.PROJECT_INSTANCE:
                    return self.element(iterator, stratum)
                # An iterator is most often its own `__iter__`: only `__next__` tells more.
                method = self.attribute(iterator, "__next__", stratum)
                return self.call(method, [], {}, stratum) if method.tag is Tag.BOUND else UNKNOWN
            method = self.attribute(base, "__getitem__", stratum)
            if method.tag is Tag.BOUND:
                return self.call(method, [], {}, stratum)
            torch_base = self.torch_base(base.name)
            return algebra.element(make(Tag.INSTANCE, torch_base)) if torch_base else UNKNOWN
        if base.tag is Tag.UNION:
            return join_all([self.element(part, stratum) for part in base.parts])
        return algebra.element(base)


def _number_of_named(record: FunctionRecord) -> int:
    """How many arguments come before those that `*args` gets."""
    return max((one.position + 1 for one in record.parameters.values() if one.kind == 0), default=0)
