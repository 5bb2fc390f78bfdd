"""Tells calls that move what torch computes with to a device, whatever they are called on."""

from __future__ import annotations

import ast

from mindport.usage.telling_names import by_name
from mindport.usage.types import DEVICE

_KINDS = ("cpu", "cuda", "mps", "npu", "xpu")


def moves_to_a_device(name: str, call: ast.Call | None) -> bool:
    """Whether a method that is called so, `name`, moves its object: `x.cuda()`, and `x.to(device)`, `x.to("cuda:0")`
    where a device is named first. torch's tensors and modules have these methods, and nothing else that is not made of
    them; it goes the same way for both."""
    if call is None or name != "to":
        return call is not None and name == "cuda"
    named = [keyword.value for keyword in call.keywords if keyword.arg == "device"]
    match (call.args or named)[:1]:
        case [ast.Name(id=given) | ast.Attribute(attr=given)]:
            return by_name(given).name == DEVICE.name
        case [ast.Constant(value=str(text))]:
            return text.partition(":")[0] in _KINDS
    return False
