"""Brings together what is done with a value that nothing else tells about, and has it weighed."""

from __future__ import annotations

from collections.abc import Iterator

from mindport.usage import evidence, torch_model
from mindport.usage.calls import CallGraph
from mindport.usage.header import library_of_name
from mindport.usage.memo import CALLERS, STRUCTURE
from mindport.usage.overrides import takes_calls_of
from mindport.usage.types import (
    BATCH,
    GUESSED,
    HELD_BY_TORCH,
    INFERRED,
    OF_MINDSPORE,
    OF_NETWORK,
    UNKNOWN,
    Tag,
    Type,
    make,
    members,
)
from mindport.usage.variables import FunctionRecord, Op, ParameterRecord, Value, Variable

_ARRAY_PACKAGES = ("numpy", "cv2", "PIL", "scipy", "skimage", "pandas")
_WITHOUT_TORCH = -1.5
_OF_PROJECT = 2.0  # by so much less a method speaks for a tensor that some class of the project has, too
_PARTS = (Op.ITEM, Op.UNPACK, Op.ELEMENT, Op.ATTRIBUTE)
_OF_MANY = (Op.ITEM, Op.ELEMENT)
_OF_SEVERAL = (*_OF_MANY, Op.UNPACK)
_OF_TORCH = (Tag.FUNCTION, Tag.INSTANCE, Tag.TENSOR)
_WORK_OF_NETWORKS = (".forward", ".construct")
_INSTANCES = (Tag.PROJECT_INSTANCE, Tag.INSTANCE)
# In the names of what trains a network, and is none.
_RUNNERS = ("trainer", "solver", "runner", "experiment", "learner")
# What says so by its name alone, where `x.train()` could be anything's.
_NETWORKS = ("model", "net", "network", "module")
_STEPPED = {"step()", "zero_grad()"}  # both together on an optimizer, whatever else it can do
# What speaks for a tensor beforehand, unless what is done with it says otherwise.
_PRIORS = {OF_NETWORK: evidence.CERTAIN, BATCH: 2.0}


class Weighing(CallGraph):
    """Decides by evidence."""

    def by_evidence(self, variable: Variable, stratum: int, result: Type) -> Type:
        uses = self._uses_of_attribute(variable) if variable.op is Op.ATTRIBUTE else variable.uses
        if uses is None and variable.passed is None:
            return result
        if variable.op is Op.IMPORT or (
            variable.op is Op.GLOBAL and not self.world.is_variable(variable.detail, variable.name)
        ):
            return result
        collected = set(uses) if uses is not None else set()
        if variable.passed is not None:
            for callee, place in variable.passed:
                expected = self._expectation(callee, place, stratum)
                if expected:
                    collected.add(expected)
        if result in (BATCH, OF_NETWORK):
            collected -= {"@len", "@unpacked"}  # these go for tuples of tensors, too
        unit = variable.unit
        prior = 0.0 if unit is None or self.world.imports_torch(unit.path) else _WITHOUT_TORCH
        prior += _PRIORS.get(result, 0.0)
        if result is not OF_NETWORK and variable.op is Op.CALL and variable.base is not None:
            callee = self.type_of(variable.base, stratum)
            if callee.tag in _INSTANCES and self.is_module(callee):
                prior += 2.0
        if not collected and result is not OF_NETWORK:
            return result
        name = _name_of(variable).lower()
        if "optim" in name:
            collected.add("@named_optimizer")  # networks have `state_dict()`, too
        elif "sched" in name:
            collected.add("@named_schedule")
        elif any(word in name for word in _RUNNERS):
            collected.add("@named_runner")
        elif "train()" in collected and name.rpartition("_")[2] in _NETWORKS:
            collected.add("@named_network")
        if collected >= _STEPPED:
            collected.add("@stepped")
        if (
            result in (BATCH, OF_MINDSPORE, OF_NETWORK)
            or (result is HELD_BY_TORCH and evidence.is_used_as_no_array(collected))
            or self._is_given_by_torch(variable, stratum)
            or self._is_given_to_a_network(variable)
            or self._is_handed_on(variable, stratum)
        ):
            collected.add("@from_torch")
        if evidence.goes_for_arrays(collected) and (
            (unit is not None and self.world.is_for_arrays(unit.path))
            or self._is_an_array_elsewhere(variable, stratum)
            or self._is_made_of_arrays(variable, stratum)
        ):
            return result
        if evidence.is_told_by_members(collected):
            prior -= _OF_PROJECT * sum(map(self._is_own_method, collected))
        found = evidence.decided(frozenset(collected), prior)
        return result if found is UNKNOWN else found

    def _is_own_method(self, use: str) -> bool:
        """Whether a class of the project that is no module has a method that can be called as this one of tensors:
        what is asked for it may be one of the project's own, such as a container of tensors with `numpy()`. What
        modules have, too, such as `cpu()`, stays as much of a guess as it is."""
        name = use.removesuffix("()")
        if name in torch_model.members(torch_model.MODULE_CLASS):
            return False
        self.world.note(("overrides", name))
        api = f"{torch_model.TENSOR_CLASS}.{name}"
        return use != name and any(
            takes_calls_of(method, api) and not self.is_module(make(Tag.PROJECT_CLASS, method.class_key))
            for method in self.world.methods(name)
        )

    def is_refuted(self, variable: Variable, result: Type) -> bool:
        """Whether a part of what is no more than inferred to be a tensor is asked for members that tensors hardly have:
        a network that gives a list of dictionaries gives no tensor (`for found in net(x): found.values()`)."""
        if variable.op not in _OF_SEVERAL or result.tag is not Tag.TENSOR or result.level > INFERRED:
            return False
        asked = frozenset(use for use in variable.uses or () if use[0] not in "@=")
        return bool(asked) and evidence.decided(asked, evidence.CERTAIN) is UNKNOWN

    def _is_an_array_elsewhere(self, variable: Variable, stratum: int) -> bool:
        """Whether another statement puts an array into the same attribute of a class, and none a tensor: hardly anyone
        keeps both under one name (`self.state = np.zeros(n)`, and later `self.state = dataset["states"]`). So with
        an item of it."""
        while variable.op is Op.ITEM and isinstance(variable.base, Variable):
            variable = variable.base
        owner = self.type_of(variable.base, stratum) if variable.op is Op.ATTRIBUTE else UNKNOWN
        if owner.tag is not Tag.PROJECT_INSTANCE:
            return False
        values = self._values_kept(owner.name, variable.name)
        tags = {self.type_of(value, STRUCTURE).tag for value in values}
        return Tag.NDARRAY in tags and Tag.TENSOR not in tags

    def _is_made_of_arrays(self, variable: Variable, stratum: int) -> bool:
        """Whether a library that is not built on torch gave it for arrays, or it is computed from what it gave:
        `d4rl.get_normalized_score(name, np.array(returns)) * 100`."""
        while variable.op in (Op.BINARY, *_OF_SEVERAL):
            source = variable.base if isinstance(variable.base, Variable) else variable.detail
            if not isinstance(source, Variable):
                return False
            variable = source
        if variable.op is not Op.CALL:
            return False
        callee = self.type_of(variable.base, stratum)
        if callee.tag is not Tag.EXTERNAL or library_of_name(callee.name):
            return False
        positional, keywords = variable.detail
        tags = {self.type_of(value, stratum).tag for value in (*positional, *keywords.values())}
        return Tag.NDARRAY in tags and Tag.TENSOR not in tags

    def _values_kept(self, key: str, name: str, seen: tuple[str, ...] = ()) -> Iterator[Value]:
        """All that a class of the project and its bases there put into an attribute."""
        self.world.note(("member", key, name))
        entry = self.world.class_entry(key)
        if entry is None or key in seen:
            return
        yield from entry.attributes.get(name, ())
        for base in self.bases(key):
            for part in members(base):
                if part.tag is Tag.PROJECT_CLASS:
                    yield from self._values_kept(part.name, name, (*seen, key))

    def _uses_of_attribute(self, variable: Variable) -> set[str] | None:
        """What is done with an attribute; with one of `self` what all methods of the class do."""
        owner = variable.base
        if not isinstance(owner, Type) or owner.tag is not Tag.PROJECT_INSTANCE:
            return variable.uses
        self.world.note(("uses", owner.name, variable.name))
        entry = self.world.class_entry(owner.name)
        read = entry.reads.get(variable.name, ()) if entry is not None else ()
        every = [one.uses for one in (variable, *read) if one.uses]
        return set().union(*every) if every else None

    def _is_given_by_torch(self, variable: Variable, stratum: int) -> bool:
        """Whether it is what calling something of torch gives, or an item of that: of a dataset, a checkpoint. What
        torch's objects hold as an attribute may be an array, so it has to be used as none can."""
        if variable.op is Op.ATTRIBUTE and not evidence.is_used_as_no_array(variable.uses or ()):
            return False
        while variable.op in _PARTS or variable.op is Op.SEQUENCE:
            base = variable.base if variable.op in _PARTS else next(iter(variable.detail), None)
            if base is None or self.type_of(base, stratum).tag is Tag.INSTANCE:
                return base is not None and self.type_of(base, stratum).level > GUESSED
            if not isinstance(base, Variable):
                return False
            variable = base
        if variable.op is not Op.CALL or variable.base is None:
            return False
        callee = self.type_of(variable.base, stratum)
        owner = callee.parts[0] if callee.tag is Tag.METHOD and callee.parts else callee
        return owner.tag in _OF_TORCH and (owner.tag is Tag.FUNCTION or owner.level > GUESSED)

    def _is_given_to_a_network(self, variable: Variable) -> bool:
        """Whether it is a parameter of a method of a network, or of the `forward` of a class that derives from
        something that is not known, as the base classes of libraries; or of a `construct`, once it is converted."""
        parameter = variable.detail
        if not isinstance(parameter, ParameterRecord):
            return False
        record = self.world.function(parameter.owner)
        if record is None or not record.class_key:
            return False
        base = self.torch_base_with(record.class_key, "forward")
        if base and torch_model.is_module_class(base):
            return True
        is_work = parameter.owner.endswith(_WORK_OF_NETWORKS)
        return is_work and (bool(base) or self.has_unknown_base(record.class_key))

    def _is_handed_on(self, variable: Variable, stratum: int) -> bool:
        """Whether a network passes to the parameter what it was given itself."""
        parameter = variable.detail
        if stratum < CALLERS or not isinstance(parameter, ParameterRecord):
            return False
        self.world.note(("passed", parameter.owner, parameter.name))
        given = self.world.arguments(parameter.owner).get(parameter.name, ())
        return any(isinstance(value, Variable) and self._is_given_to_a_network(value) for value in given)

    # -- what a callee expects

    def _expectation(self, callee: Value, place: int | str, stratum: int) -> str:
        """The sign that passing a value at this place of a call is."""
        kind = self.type_of(callee, STRUCTURE)
        tag = kind.tag
        if tag is Tag.UNION:
            signs = {self._expectation(part, place, stratum) for part in kind.parts}
            return signs.pop() if len(signs) == 1 else ""
        if tag is Tag.FUNCTION or tag is Tag.METHOD or tag is Tag.CLASS:
            name = kind.name
            if tag is Tag.METHOD and kind.parts and kind.parts[0].tag not in (Tag.TENSOR, Tag.INSTANCE):
                return "@not_tensor" if kind.parts[0].tag is Tag.STR else ""
            expected = torch_model.expectations(name)
            if isinstance(place, str):
                names = torch_model.parameter_names(name)
                if place not in names:
                    return ""
                place = names.index(place)
            if place < len(expected) and expected[place]:
                return "@" + expected[place]
            return ""
        if tag is Tag.EXTERNAL:
            return "@array" if kind.name.partition(".")[0] in _ARRAY_PACKAGES else ""
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
            record = self.record_of(self._member(kind.name, "__init__", STRUCTURE))
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


def _name_of(variable: Variable) -> str:
    """What code calls a value, or the list that it is one of: `for one in self.optimizers`."""
    while variable.op in _OF_MANY and isinstance(variable.base, Variable):
        variable = variable.base
    parameter = variable.detail
    return parameter.name if isinstance(parameter, ParameterRecord) else variable.name


def _parameter_at(record: FunctionRecord, place: int | str) -> ParameterRecord | None:
    if isinstance(place, str):
        return record.parameters.get(place)
    for parameter in record.parameters.values():
        if parameter.position == place:
            return parameter
    return None
