"""Gives every variable its type, on demand, from what the units of the project say of each other."""

from __future__ import annotations

from mindport.usage import algebra, masks, torch_model
from mindport.usage.annotations import instance_of_tested, instance_of_type
from mindport.usage.memo import CALLERS, EVIDENCE, FAR_CALLERS, STRATA, STRUCTURE, is_settled
from mindport.usage.seen.types import says_how_sure
from mindport.usage.telling_names import by_name, parameter_by_name, told_or_by_name
from mindport.usage.types import (
    BETWEEN_KEYS,
    BOTTOM,
    CALLABLE,
    EMPTY_LIST,
    GUESSED,
    INFERRED,
    INT,
    NONE,
    NUMERIC,
    OF_NETWORK,
    TENSORS,
    UNKNOWN,
    Tag,
    Type,
    dict_with,
    is_guess,
    is_vague,
    join,
    join_all,
    make,
    members,
    sequence_of,
    tuple_of,
    weakened,
    with_item,
)
from mindport.usage.variables import Op, ParameterRecord, Value, Variable, kept_item
from mindport.usage.weighing import Weighing

_CALLABLES = frozenset(
    {Tag.CLASS, Tag.FUNCTION, Tag.METHOD, Tag.PROJECT_CLASS, Tag.PROJECT_FUNCTION, Tag.BOUND}
)

# Tags of objects of which no attribute is known.
_WITHOUT_CLASS = frozenset({Tag.UNKNOWN, Tag.OTHER, Tag.EXTERNAL_VALUE})

_AUTOGRAD_METHODS = frozenset({"forward", "backward", "setup_context", "jvp", "vjp"})


# What is done with the numbers that a dataset is asked for.
_OF_NUMBERS = frozenset({"@int", "@str"})


def _is_comparison(value: Value) -> bool:
    return isinstance(value, Variable) and value.op is Op.BINARY and masks.is_comparison(value.name)


class Resolver(Weighing):
    """Types of values in one state of the project."""

    def compute(self, variable: Variable, stratum: int) -> Type:
        """The type of a variable, computed anew."""
        result = _RULES[variable.op](self, variable, stratum)
        if stratum and (is_vague(result) or (result is BOTTOM and self.is_all_there_is())):
            result = self.by_evidence(variable, stratum, result)
        elif stratum and self.is_refuted(variable, result):
            result = UNKNOWN
        elif stratum and result.tag is Tag.NONE and variable.op is Op.ATTRIBUTE:
            # What has members is none that is seen here: `setattr(self, name, value)` may have given another.
            other = self.by_evidence(variable, stratum, UNKNOWN)
            result = result if other is UNKNOWN else other
        if self.may_show_more and stratum == FAR_CALLERS:
            is_mixed = result.tag is Tag.UNION and not says_how_sure(result)
            return self._as_seen(variable, result) if is_mixed or not is_settled(result) else result
        return result

    def _as_seen(self, variable: Variable, result: Type) -> Type:
        """What a run showed of a value, where that says by itself how sure it is; of others only that they are no
        tensors, where there is no more than a guess."""
        seen = self.world.seen_type(variable)
        if seen is None or seen is UNKNOWN:
            return result
        if says_how_sure(seen):
            return seen
        return UNKNOWN if not is_settled(result) else result

    # -- the rules, one for each Op

    def _global(self, variable: Variable, stratum: int) -> Type:
        return self.type_of_name(variable.detail, variable.name, stratum)

    def _reaching(self, variable: Variable, stratum: int) -> Type:
        module, name = variable.detail, variable.name
        self.world.note(("binding", module, name))
        unit, and_later = variable.unit, variable.op is Op.LATER
        values = [] if unit is None else self.world.reaching(unit, name, and_later)
        # What is bound further down only was bound by something that is not seen, such as `exec`.
        return (
            join_all([self.type_of(value, stratum) for value in values])
            if values
            else self.type_of_name(module, name, stratum)
        )

    def _import(self, variable: Variable, stratum: int) -> Type:
        module, record = variable.detail
        return join_all([self.type_of(value, stratum) for value in self.world.imported(module, record)])

    def _attribute(self, variable: Variable, stratum: int) -> Type:
        base = self.type_of(variable.base, stratum)
        found = base if base is BOTTOM else self.attribute(base, variable.name, stratum)
        return told_or_by_name(found, variable.name)

    def _kept(self, variable: Variable, stratum: int) -> Type:
        attribute = variable.base
        owner = self.type_of(attribute.base, stratum) if isinstance(attribute, Variable) else UNKNOWN
        found = self.type_of(variable.detail if owner.tag in _WITHOUT_CLASS else attribute, stratum)
        return told_or_by_name(found, variable.name)

    def _call(self, variable: Variable, stratum: int) -> Type:
        callee = self.type_of(variable.base, stratum)
        if callee in (UNKNOWN, CALLABLE) and self._is_part_of_a_network(variable.base, stratum):
            return OF_NETWORK  # what is called there is most often a layer
        if callee is UNKNOWN or callee is BOTTOM:
            return callee
        positional, keywords = variable.detail
        return self.call(callee, positional, keywords, stratum)

    def _is_part_of_a_network(self, value: Value, stratum: int) -> bool:
        """Whether it is an attribute of a network of the project."""
        if not isinstance(value, Variable) or value.op is not Op.ATTRIBUTE:
            return False
        owner = self.type_of(value.base, stratum)
        return owner.tag is Tag.PROJECT_INSTANCE and self.is_module(owner)

    def _element(self, variable: Variable, stratum: int) -> Type:
        base = self.type_of(variable.base, stratum)
        return base if base is BOTTOM else self.element(base, stratum)

    def _item(self, variable: Variable, stratum: int) -> Type:
        index, index_value = variable.detail
        kept = self._kept_item(variable.base, index, stratum)
        if kept is not UNKNOWN:
            return kept
        base = self.type_of(variable.base, stratum)
        if base is BOTTOM or base is UNKNOWN:
            return base if base is BOTTOM else by_name(index)
        if base.tag is Tag.PROJECT_INSTANCE:
            method = self.attribute(base, "__getitem__", stratum)
            if method.tag is Tag.BOUND:
                return self.call(method, [index_value], {}, stratum)
            torch_base = self.torch_base(base.name)
            return algebra.item(make(Tag.INSTANCE, torch_base), index, UNKNOWN) if torch_base else UNKNOWN
        return algebra.item(base, index, self.type_of(index_value, stratum))

    def _kept_item(self, holder: Value, key: object, stratum: int) -> Type:
        """What methods of a class keep under one key of a dictionary, `self.models["encoder"]`: what they keep under
        another may hang on it."""
        if not isinstance(key, str) or not isinstance(holder, Variable) or holder.op is not Op.ATTRIBUTE:
            return UNKNOWN
        owner = self.type_of(holder.base, stratum)
        if owner.tag is not Tag.PROJECT_INSTANCE:
            return UNKNOWN
        return self._member(owner.name, kept_item(holder.name, key), stratum) or UNKNOWN

    def _unpack(self, variable: Variable, stratum: int) -> Type:
        base = self.type_of(variable.base, stratum)
        if base is BOTTOM:
            return base
        index, count = variable.detail
        return (
            algebra.unpacked(base, index, count)
            if base.tag is not Tag.PROJECT_INSTANCE
            else self.element(base, stratum)
        )

    def _binary(self, variable: Variable, stratum: int) -> Type:
        left = self.type_of(variable.base, stratum)
        right = self.type_of(variable.detail, stratum) if variable.detail is not None else None
        if left is BOTTOM:
            return right if right is not None and right.tag is Tag.TENSOR else left
        if right is BOTTOM:
            return left if left.tag is Tag.TENSOR else right
        if left.tag is Tag.PROJECT_INSTANCE:
            method = self.attribute(left, variable.name, stratum)
            return self.call(method, [], {}, stratum) if method.tag is Tag.BOUND else UNKNOWN
        if masks.is_logic(variable.name) and right is not None:
            # A comparison is true or false, whatever it compares.
            if left is UNKNOWN and masks.is_mask(right) and _is_comparison(variable.base):
                left = right
            elif right is UNKNOWN and masks.is_mask(left) and _is_comparison(variable.detail):
                right = left
        return algebra.binary(variable.name, left, right)

    def _join(self, variable: Variable, stratum: int) -> Type:
        result = self.type_of(variable.base, stratum)
        for value in variable.detail:
            result = join(result, self.type_of(value, stratum))
        return result

    def _sequence(self, variable: Variable, stratum: int) -> Type:
        parts = [self.type_of(value, stratum) for value in variable.detail]
        if variable.name == "tuple":
            return tuple_of(UNKNOWN if part is BOTTOM else part for part in parts)
        return sequence_of(join_all(parts))

    def _dict(self, variable: Variable, stratum: int) -> Type:
        values = [self.type_of(value, stratum) for value in variable.detail]
        keys = variable.name.split(BETWEEN_KEYS) if variable.name else []
        # A value that was stored later stands for a key that is not kept.
        return dict_with(keys if len(keys) == len(values) else [], values)

    def _stored(self, variable: Variable, stratum: int) -> Type:
        return with_item(UNKNOWN, self.type_of(variable.base, stratum))

    def _loop(self, variable: Variable, stratum: int) -> Type:
        first = self.type_of(variable.base, stratum)
        for value in variable.detail:
            again = self.type_of(value, stratum)
            if first.tag in NUMERIC and again.tag is Tag.TENSOR:
                return again  # a sum that starts at 0
            if first is EMPTY_LIST and again.tag in (Tag.TENSOR, Tag.NDARRAY):
                return again  # what stands for nothing before the first round
            first = join(first, again)
        return first

    def _annotation(self, variable: Variable, stratum: int) -> Type:
        base = self.type_of(variable.base, stratum)
        if variable.detail is None:
            return join_all(map(instance_of_type, members(base)))
        found = instance_of_tested(base)
        return found if found is not UNKNOWN else self.type_of(variable.detail, stratum)

    def _except(self, variable: Variable, stratum: int) -> Type:
        base = self.type_of(variable.base, stratum)
        rest = [part for part in members(base) if part.tag not in variable.detail]
        return join_all(rest) if rest else UNKNOWN

    def _only(self, variable: Variable, stratum: int) -> Type:
        tags, tested = variable.detail
        fitting = [part for part in members(self.type_of(variable.base, stratum)) if part.tag in tags]
        return join_all(fitting) if fitting else tested

    def _parameter(self, variable: Variable, stratum: int) -> Type:
        parameter: ParameterRecord = variable.detail
        declared = UNKNOWN
        if parameter.annotation is not None:
            declared = self.type_of(parameter.annotation, STRUCTURE)
            if declared is CALLABLE and parameter.default is not None:
                given = self.type_of(parameter.default, STRUCTURE)
                return given if given.tag in _CALLABLES else declared
            if declared is not UNKNOWN and declared is not NONE and declared is not BOTTOM:
                return declared
        return self._parameter_by_default(variable, parameter, stratum)

    def _parameter_by_default(self, variable: Variable, parameter: ParameterRecord, stratum: int) -> Type:
        if parameter.owner.rpartition(".")[2] in _AUTOGRAD_METHODS:
            given = self._autograd_parameter(parameter)
            if given is not UNKNOWN:
                return given
        if self._is_index_of_dataset(variable, parameter):
            return INT
        default = self.type_of(parameter.default, STRUCTURE) if parameter.default is not None else UNKNOWN
        if stratum == EVIDENCE:
            made = self.passed_type(parameter.owner, parameter.name, STRUCTURE)
            if all(part.tag in _NO_TENSORS for part in members(made)):
                return made  # whatever its methods are called
        if stratum >= CALLERS:
            passed = self.passed_type(parameter.owner, parameter.name, stratum - 1)
            if passed is not UNKNOWN and passed is not BOTTOM:
                return join(passed, default) if default.tag not in (Tag.UNKNOWN, Tag.BOTTOM) else passed
        if default.tag in _CALLABLES:
            return default
        if default.tag in (Tag.NONE, Tag.UNKNOWN, Tag.BOTTOM):
            return parameter_by_name(parameter.name, default)
        if stratum == STRUCTURE:
            return UNKNOWN
        found = self.by_evidence(variable, stratum, UNKNOWN)
        return found if found.tag is Tag.TENSOR and found.level >= INFERRED else default

    def _autograd_parameter(self, parameter: ParameterRecord) -> Type:
        """What autograd itself passes to a static or class method of a torch.autograd.Function."""
        record = self.world.function(parameter.owner)
        if record is None or not (record.is_static or record.is_class_method):
            return UNKNOWN
        class_key, name = record.class_key, record.name
        if self.torch_base_with(class_key, "setup_context") != torch_model.AUTOGRAD_FUNCTION:
            return UNKNOWN
        if parameter.position == 0 and parameter.kind == 0:
            # A forward beside a setup_context takes the inputs alone.
            has_context = name != "forward" or not self.defines(class_key, "setup_context")
            return make(Tag.INSTANCE, torch_model.AUTOGRAD_FUNCTION) if has_context else UNKNOWN
        return TENSORS[INFERRED] if name == "backward" and parameter.kind != 2 else UNKNOWN

    def _is_index_of_dataset(self, variable: Variable, parameter: ParameterRecord) -> bool:
        """Whether it is what a sampler asks a dataset for: a number, unless the dataset takes it for something else
        (batch samplers of the project's own may give tuples)."""
        if parameter.position != 0 or not parameter.owner.endswith(".__getitem__"):
            return False
        record = self.world.function(parameter.owner)
        is_told = variable.uses is not None and not variable.uses <= _OF_NUMBERS
        if record is None or not record.class_key or is_told:
            return False
        return self.torch_base_with(record.class_key, "__getitem__") == torch_model.DATASET_CLASS

    def passed_type(self, owner: str, name: str, stratum: int) -> Type:
        """What callers pass to a parameter of the function with the key, as far as the stratum tells; UNKNOWN if most
        of it is not known, or a part of it where the rest is a sequence."""
        self.world.note(("passed", owner, name))
        values = self.world.arguments(owner).get(name)
        if not values:
            return UNKNOWN
        found = [self.type_of(value, stratum) for value in values]
        known = [kind for kind in found if kind is not UNKNOWN and kind is not BOTTOM and not is_guess(kind)]
        passed = join_all(known)
        guesses = sum(map(is_guess, found))
        if guesses and passed.tag in NUMERIC and (len(known) + guesses) * 2 >= len(found):
            return join(
                passed, TENSORS[GUESSED]
            )  # what a meter gets: a loss as a number, an accuracy as it is
        if len(known) * 2 < len(found):
            return UNKNOWN
        # A number is passed where a sequence is, too: `kernel_size=3`.
        is_certain = len(known) == len(found) or passed.tag not in (Tag.SEQUENCE, Tag.TUPLE)
        return weakened(passed, INFERRED) if is_certain else UNKNOWN

    def passed_types(self, owner: str, name: str) -> tuple[Type, ...]:
        """What `passed_type` says in each stratum that asks it."""
        return tuple(self.passed_type(owner, name, stratum) for stratum in STRATA[:-1])


_NO_TENSORS = frozenset((Tag.NDARRAY, Tag.EXTERNAL_VALUE, Tag.PROJECT_INSTANCE, Tag.OTHER))

_RULES = {
    Op.PARAMETER: Resolver._parameter,
    Op.GLOBAL: Resolver._global,
    Op.REACHING: Resolver._reaching,
    Op.LATER: Resolver._reaching,
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
    Op.STORED: Resolver._stored,
    Op.LOOP: Resolver._loop,
    Op.ANNOTATION: Resolver._annotation,
    Op.EXCEPT: Resolver._except,
    Op.ONLY: Resolver._only,
    Op.KEPT: Resolver._kept,
}
