"""What is built of each drawn file, by hand; and the check that it is the files that were drawn."""

from __future__ import annotations

from pathlib import Path

import msgspec

LIST = Path(__file__).parent / "entries.toml"
WANTED = 60


class Model(msgspec.Struct, frozen=True):
    """A drawn file: how to build and call it, or why it is no model that can be compared."""

    file: str
    entry: str = ""
    inputs: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    without: str = ""


class _Entries(msgspec.Struct, frozen=True):
    model: tuple[Model, ...]


class DrawingError(Exception):
    """The entries are not those of the files that were drawn; the message says where they part."""


def drawn_models(order: list[str] | None = None) -> list[Model]:
    """The models of the bench, in the order of drawing; with `order`, raises DrawingError where a file was left out or
    swapped."""
    entries = msgspec.toml.decode(LIST.read_bytes(), type=_Entries).model
    for place, (model, file) in enumerate(zip(entries, order or [], strict=False)):
        if model.file != file:
            raise DrawingError(
                f"file {place + 1} of the drawing is {file}, but the entries have {model.file}"
            )
    return [model for model in entries if not model.without][:WANTED]
