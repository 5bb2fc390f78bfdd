"""Writes a custom operator of MindSpore that calls ATen's kernel: C++ source, build script, Python module and test."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mindport.rewrite.custom_operator.call import OperatorCall, Unsuitable
from mindport.rewrite.custom_operator.samples import USUAL, Sample, read_sample

_TEMPLATES = Path(__file__).with_name("templates")
SHARED = ("aten_kernel.h", "build.py")


def operator_files(call: OperatorCall, inputs: Sequence[str] = ()) -> dict[str, str]:
    """The files of an operator, name -> text; those of SHARED are the same for all. `inputs` are the texts of sample
    inputs, one for each tensor. Raises Unsuitable."""
    if inputs and len(inputs) != len(call.tensors):
        raise Unsuitable(f"the call takes {len(call.tensors)} tensors ({', '.join(call.tensors)})")
    samples = [read_sample(text) for text in inputs or [USUAL] * len(call.tensors)]
    values = _values(call, samples)
    names = {
        f"{call.operator}.cc": "operator.cc.txt",
        f"{call.operator}.py": "operator.py.txt",
        f"test_{call.operator}.py": "test.py.txt",
        "aten_kernel.h": "aten_kernel.h.txt",
        "build.py": "build.py.txt",
    }
    return {name: _filled(template, values) for name, template in names.items()}


def _values(call: OperatorCall, samples: Sequence[Sample]) -> dict[str, str]:
    tensors = ", ".join(call.tensors)
    several = call.outputs > 1
    cotangents = [f"dout[{at}]" for at in range(call.outputs)] if several else ["dout"]
    gradient = f"_gradient({tensors}, {', '.join(cotangents)})"
    return {
        "api": call.api,
        "operator": call.operator,
        "class": call.class_name,
        "tensors": tensors,
        "arguments": ", ".join(call.arguments),
        "count": str(len(call.tensors)),
        "shapes": repr(tuple(one.shape for one in samples)),
        "dtypes": repr(tuple(one.dtype for one in samples)).replace("'", '"'),
        "gradient": gradient if len(call.tensors) > 1 else f"({gradient},)",
        "original": call.original,
        "samples": ", ".join(one.text for one in samples),
    }


def _filled(template: str, values: dict[str, str]) -> str:
    text = (_TEMPLATES / template).read_text(encoding="utf-8")
    for name, value in values.items():
        text = text.replace(f"<<{name}>>", value)
    return text
