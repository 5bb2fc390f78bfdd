"""Writes a comparison as a pytest file, which runs torch and MindSpore in processes of their own, without mindport."""

from __future__ import annotations

import json
import os
from pathlib import Path

from mindport.model.target import Target
from mindport.prove.programs import ComparedProgram, ProgramOutcome

# The numeric check of MindSpore's migration guide.
_MAX_ERROR = 1e-5
_TEMPLATE = Path(__file__).with_name("written_test.txt")


def check_text(program: ComparedProgram, outcome: ProgramOutcome, target: Target, place: Path) -> str:
    """The text of a test that repeats the comparison of outputs, to be written to `place`."""
    values = {
        "original": _from(place, program.original),
        "converted": _from(place, program.converted),
        "entry": json.dumps(program.entry),
        "inputs": ", ".join(program.inputs),
        "device": json.dumps(target.device.value),
        "mode": json.dumps(target.mode.value),
        "seed": str(program.seed),
        "max_error": _max_error(outcome.allowed),
        "renamed": json.dumps(outcome.renamed, indent=4),
    }
    text = _TEMPLATE.read_text(encoding="utf-8")
    for name, value in values.items():
        text = text.replace(f"<<{name}>>", value)
    return text


def _max_error(allowed: float) -> str:
    if allowed <= _MAX_ERROR:
        return f"{_MAX_ERROR:g}"
    return f"{allowed:.1e}  # four times what torch's own float32 was off with other weights"


def _from(place: Path, file: Path) -> str:
    """The path of a file as the test names it: from its own folder, or in full where no way leads there."""
    try:
        relative = os.path.relpath(file.absolute(), place.absolute().parent)
    except ValueError:  # another drive
        return json.dumps(str(file.absolute()))
    return json.dumps(Path(relative).as_posix())
