"""What the checklist holds: one entry for each thing that the code does, with the values it does it with."""

from __future__ import annotations

import enum

import msgspec


class ChecklistTopic(enum.Enum):
    """The rows of the migration guide's checklist, in its order. The value is the heading."""

    STRUCTURE = "Model structure"
    STRUCTURE_POINTS = "Network structure points"
    AUGMENTATION = "Data augmentation"
    LEARNING_RATE = "Learning-rate policy"
    OPTIMIZER = "Optimizer and parameters"
    TRAINING = "Epochs and batch size"
    LOSS = "Losses"
    INITIALISATION = "Parameter initialisation"
    AVERAGING = "Moving average of the weights"
    PRECISION = "Mixed precision"
    CLIPPING = "Gradient clipping"
    TRICKS = "Training tricks"


class SettingLine(msgspec.Struct, frozen=True, order=True):
    """A line of a file; `path` is relative to the project, with forward slashes."""

    path: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


class Detail(msgspec.Struct, frozen=True):
    """One value of an entry as a person writes it: `momentum`, `0.9`, and where that is written. `is_known` is false
    where the value follows from what only a run knows; `value` is then the expression."""

    name: str
    value: str
    place: SettingLine | None = None
    is_known: bool = True


class Entry(msgspec.Struct, frozen=True):
    """One line of the checklist: what it is, the values, and where the code does it."""

    topic: ChecklistTopic
    what: str
    place: SettingLine
    details: tuple[Detail, ...] = ()
    note: str = ""
