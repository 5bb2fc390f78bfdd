"""Brings together what is done with a value that nothing else tells about, and has it weighed."""

from __future__ import annotations

from mindport.usage import evidence, torch_model
from mindport.usage.calls import CallGraph
from mindport.usage.memo import STRUCTURE
from mindport.usage.types import BATCH, UNKNOWN, Tag, Type
from mindport.usage.variables import FunctionRecord, Op, Parameter, Value, Variable

_ARRAY_PACKAGES = ("numpy", "cv2", "PIL", "scipy", "skimage", "pandas")
_WITHOUT_TORCH = -1.5
_INSTANCES = (Tag.PROJECT_INSTANCE, Tag.INSTANCE)


class Weighing(CallGraph):
    """Decides by evidence."""

    def by_evidence(self, variable: Variable, stratum: int, result: Type) -> Type:
        uses = variable.uses
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
        if result is BATCH:
            collected.discard("@len")  # what a loader gives has a length, whatever it is
        if not collected:
            return result
        unit = variable.unit
        prior = 0.0 if unit is None or self.world.imports_torch(unit.path) else _WITHOUT_TORCH
        if variable.op is Op.CALL and variable.base is not None:
            callee = self.type_of(variable.base, stratum)
            if callee.tag in _INSTANCES and self.is_module(callee):
                prior += 2.0
            elif callee.tag in (Tag.UNKNOWN, Tag.CALLABLE) and isinstance(variable.base, Variable):
                owner = variable.base.base
                if isinstance(owner, Type) and owner.tag is Tag.PROJECT_INSTANCE and self.is_module(owner):
                    prior += 1.5
        if result is BATCH:
            prior += 2.0
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


def _parameter_at(record: FunctionRecord, place: int | str) -> Parameter | None:
    if isinstance(place, str):
        return record.parameters.get(place)
    for parameter in record.parameters.values():
        if parameter.position == place:
            return parameter
    return None
