"""Run by the interpreter of one MindSpore: reads `[name, [signature, ...]]` per line, calls each function on CPU with
simple inputs of several shapes and dtypes, and answers with the name and `ran`, `absent` (every call that was taken
lacked a kernel) or `unknown` (no input that it takes was found). A function may crash this process."""

from __future__ import annotations

import ast
import itertools
import json
import os
import re
import sys
import warnings
from collections.abc import Iterator
from typing import Any

os.environ.setdefault("GLOG_v", "4")

import mindspore
import numpy
from mindspore import Tensor

NO_KERNEL = re.compile(
    r"kernel \w+ unregistered|Unsupported op \[|Not found op \w+ on device CPU", re.IGNORECASE
)
SHAPES = ((3, 3), (1, 2, 6, 6), (4,), (1, 2, 6), (2, 3, 3), (1, 2, 4, 4, 4))
DTYPES = (numpy.float32, numpy.int64, numpy.bool_, numpy.complex64, numpy.int32)

_TENSORS = """
self input x other input_x x1 x2 y a b A tensor target src source mat2 input1 input2 tensor1 tensor2 batch1 batch2 vec
vec1 vec2 mat mat1 values updates arr m1 v variable query key labels logits end1 abs angle sorted_sequence element bias
"""
TENSORS = frozenset(_TENSORS.split())
EITHER = ("exponent", "value")  # a tensor for some functions, a number for others
INDEXES = ("index", "indices", "segment_ids")
MASKS = ("mask", "condition", "cond")
SEQUENCES = ("tensors", "inputs", "tensor_list")
SHAPE_LIKE = ("size", "shape", "normalized_shape")
_NUMBERS = """
dim=0 axis=0 dim0=0 dim1=0 axis0=0 axis1=0 axis2=1 k=1 n=3 m=3 N=3 kernel_size=2 fill_value=1.0 start=0 end=3 stop=3
steps=3 p=1.0 repeats=2 shifts=1 chunks=1 num_samples=2 window_length=4 threshold=0.5 value=1.0 maxnorm=1.0
norm_type=2.0 num_classes=5 upscale_factor=1 downscale_factor=1 groups=1 num_groups=1 split_size_or_sections=1
indices_or_sections=1 padding=1 alpha=1.0 q=0.5 lower=0.1 upper=0.3 minval=0.0 maxval=1.0 mean=0.0 std=1.0 eps=1e-5
length=2 step=1 negative_slope=0.1 scale_factor=2 num_segments=3 exponent=2.0
"""
PLAIN: dict[str, Any] = {
    "dims": (0,),
    "pad": (1, 1),
    "dtype": mindspore.float32,
    **{
        name: ast.literal_eval(value) for name, _, value in (pair.partition("=") for pair in _NUMBERS.split())
    },
}


def main() -> None:
    """Answer every line."""
    warnings.simplefilter("ignore")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # MindSpore prints
    mindspore.set_device("CPU")
    mindspore.runtime.launch_blocking()
    for line in sys.stdin:
        name, signatures = json.loads(line)
        answers.write(f"{name} {probe(name, signatures)}\n")
        answers.flush()


def probe(name: str, signatures: list[str]) -> str:
    """What calls of one function show."""
    function: Any = mindspore
    for part in name.split(".")[1:]:
        function = getattr(function, part)
    lacks_kernel = False
    for signature, shape, dtype in itertools.product(signatures, SHAPES, DTYPES):
        for arguments in candidates(name, signature, shape, dtype):
            try:
                wait_for(function(*arguments))
            except Exception as error:  # noqa: BLE001 - the framework raises all kinds
                lacks_kernel = lacks_kernel or bool(NO_KERNEL.search(str(error)))
            else:
                return "ran"
    return "absent" if lacks_kernel else "unknown"


def candidates(name: str, signature: str, shape: tuple[int, ...], dtype: Any) -> Iterator[list[Any]]:
    """The values to try for the required parameters; nothing where a parameter is of a kind not known here."""
    (function,) = ast.parse(f"def f{signature.partition(' -> ')[0]}: pass").body
    assert isinstance(function, ast.FunctionDef)
    listed = [*function.args.posonlyargs, *function.args.args]
    required = [one.arg for one in listed[: len(listed) - len(function.args.defaults)]]
    if name.startswith("mindspore.Tensor."):
        required.insert(0, "self")
    for is_tensor in (True, False) if any(one in EITHER for one in required) else (False,):
        arguments = [value_of(one, name, shape, dtype, is_tensor) for one in required]
        if not any(argument is None for argument in arguments):
            yield arguments


def value_of(parameter: str, name: str, shape: tuple[int, ...], dtype: Any, is_tensor: bool) -> Any:
    """A value that a parameter of that name may take; None where none is known."""
    ones = numpy.ones(shape, dtype)
    if parameter == "weight":
        is_kernel = "conv" in name and len(shape) > 2
        return Tensor(numpy.ones((2, shape[1], *[2] * (len(shape) - 2)), dtype) if is_kernel else ones)
    if parameter in TENSORS or (is_tensor and parameter in EITHER):
        spread = (numpy.arange(ones.size).reshape(shape) % 7 + 1) / 8
        return Tensor(spread.astype(dtype) if dtype is numpy.float32 else ones)
    if parameter in INDEXES:
        return Tensor(numpy.zeros(shape, numpy.int64))
    if parameter in MASKS:
        return Tensor(numpy.ones(shape, numpy.bool_))
    if parameter in SEQUENCES:
        return (Tensor(ones), Tensor(ones))
    if parameter in SHAPE_LIKE:
        return shape
    if parameter == "output_size":
        return (2,) * max(1, len(shape) - 2)
    return PLAIN.get(parameter)


def wait_for(result: Any) -> None:
    """Let what is still computed finish, or fail."""
    for one in result if isinstance(result, (tuple, list)) else (result,):
        if isinstance(one, Tensor):
            one.asnumpy()


if __name__ == "__main__":
    main()
