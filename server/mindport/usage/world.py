"""What the resolver asks the project for, and what the project says of each class."""

from __future__ import annotations

from typing import Protocol

from mindport.usage.types import Type
from mindport.usage.variables import FunctionRecord, ImportRecord, UnitSummary, Value, Variable


class ClassEntry:
    """A class of the project with everything its units say."""

    __slots__ = ("annotations", "attributes", "bases", "key", "methods", "reads")

    def __init__(self, key: str) -> None:
        self.key = key
        self.bases: list[Value] = []
        self.methods: dict[str, FunctionRecord] = {}
        self.attributes: dict[str, list[Value]] = {}
        self.reads: dict[str, list[Variable]] = {}
        self.annotations: dict[str, Value] = {}


class World(Protocol):
    """What the resolver asks the project for."""

    def note(self, key: tuple[object, ...]) -> None:
        """Remember that the unit at hand asked for this."""

    def bindings(self, module: str, name: str) -> list[Value]:
        """What the module-level name of the module is bound to."""

    def reaching(self, unit: UnitSummary, name: str, and_later: bool) -> list[Value]:
        """What the module-level name holds where the unit begins, or from there on; empty if this is not known."""

    def imports_torch(self, module: str) -> bool:
        """Whether the module imports anything of torch at its top."""

    def is_for_arrays(self, module: str) -> bool:
        """Whether the module imports NumPy at its top, and nothing of torch."""

    def is_variable(self, module: str, name: str) -> bool:
        """Whether the module assigns the name, and neither imports nor defines it."""

    def is_imported(self, module: str, name: str) -> bool:
        """Whether the module has the name from another module of the project."""

    def torch_name(self, module: str, name: str) -> str:
        """The dotted name of torch that the module has a name from by imports alone; empty if it is none."""

    def class_entry(self, key: str) -> ClassEntry | None:
        """The class with this key."""

    def function(self, key: str) -> FunctionRecord | None:
        """The function with this key."""

    def imported(self, module: str, record: ImportRecord) -> list[Value]:
        """What an import inside a function of the module binds."""

    def methods(self, name: str) -> list[FunctionRecord]:
        """The methods of that name of all classes of the project."""

    def keepers(self, name: str) -> list[str]:
        """The keys of all classes of the project that keep something in an attribute of that name."""

    def named_as_base(self, name: str) -> list[str]:
        """The keys of all classes of the project that name something so among their bases."""

    def seen_type(self, variable: Variable) -> Type | None:
        """What the value was in a run of the code as it is; None where none was seen."""

    def arguments(self, key: str) -> dict[str, list[Value]]:
        """Parameter -> the values that calls anywhere in the project pass to the function."""


def short_name(key: str) -> str:
    """What the class with the key is called where it is defined."""
    return key.rpartition(":")[2].rpartition(".")[2]


def name_of_base(base: Value) -> str:
    """What a class calls a base of it, without what stands before the last dot."""
    return short_name(base.name)
