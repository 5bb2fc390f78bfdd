"""The argument `requires_grad` of what makes tensors. That of a parameter is another: whether it is trained."""

from __future__ import annotations

import msgspec

from mindport.usage.api_use import Argument, Call


def gradient_flag(api: str, call: Call) -> Argument | None:
    """The argument of a call, where it is passed by name."""
    if api.endswith("Parameter"):
        return None
    return next((one for one in call.arguments if one.keyword == "requires_grad"), None)


def without_gradient_flag(api: str, call: Call) -> Call:
    """The call as if it asked for no gradients: the text around it does."""
    flag = gradient_flag(api, call)
    if flag is None:
        return call
    off = msgspec.structs.replace(flag, is_literal=True, value=False)
    arguments = tuple(off if one is flag else one for one in call.arguments)
    return msgspec.structs.replace(call, arguments=arguments)
