#!/usr/bin/env python3
"""Collects the schemas of ATen's operators that stand behind a public function of torch.

    .venv-oracle/bin/python scripts/collect_operator_schemas.py

Runs in a Python with torch. What is written to mappings/_frameworks/operator_schemas.json are facts only: for each
function of the C++ namespace `at` its schemas without the name, as torch prints them; those that write into an
argument are left out."""

from __future__ import annotations

import json
import re
from pathlib import Path

import torch

OUTPUT = Path(__file__).resolve().parent.parent / "mappings" / "_frameworks" / "operator_schemas.json"
HEADERS = Path(torch.__file__).parent / "include" / "ATen" / "ops"
SPACES = {
    "": (torch, torch.Tensor, torch.nn.functional),
    "linalg_": (torch.linalg,),
    "special_": (torch.special,),
    "fft_": (torch.fft,),
}


def is_public(name: str) -> bool:
    """Whether a function of torch has the operator's name."""
    return any(
        name.startswith(start) and any(hasattr(space, name.removeprefix(start)) for space in spaces)
        for start, spaces in SPACES.items()
    )


def is_function(name: str) -> bool:
    """Whether `at::name` can be called; some operators are methods only."""
    header = HEADERS / f"{name}.h"
    return header.exists() and re.search(rf"inline [^\n]* {name}\(", header.read_text()) is not None


def main() -> None:
    """Write the schemas."""
    found: dict[str, list[str]] = {}
    for schema in torch._C._jit_get_all_schemas():
        name = schema.name.removeprefix("aten::")
        text = str(schema)
        parameters = text.partition("(")[2]
        if not schema.name.startswith("aten::") or name.startswith("_") or name.endswith("_"):
            continue
        if (
            "!" in text
            or "..." in text
            or "Tensor" not in text.partition("->")[2]
            or "Tensor" not in parameters
        ):
            continue
        if is_public(name) and is_function(name):
            found.setdefault(name, []).append(re.sub(r"\(\w+( -> \*)?\)", "", f"({parameters}"))
    data = {"torch": torch.__version__.partition("+")[0], "operators": dict(sorted(found.items()))}
    OUTPUT.write_text(json.dumps(data, indent=0) + "\n")


if __name__ == "__main__":
    main()
