"""Calls by signatures that torch had before 1.5 and still takes, with a warning: the factor stood before the tensors.

Optimizers of one's own have them still: `p.data.add_(-lr, d_p)`."""

from __future__ import annotations

import msgspec

from mindport.usage.api_use import Argument

# The methods, which are called with one value more than the present signature takes by its place, and what that is.
_FACTORS = {
    "torch.Tensor.add_": ("alpha", 2),
    "torch.Tensor.sub_": ("alpha", 2),
    "torch.Tensor.addcmul_": ("value", 3),
    "torch.Tensor.addcdiv_": ("value", 3),
}


def with_present_signature(api: str, arguments: tuple[Argument, ...]) -> tuple[Argument, ...]:
    """The arguments of a call as the present signature of a method takes them: a factor before the tensors is passed by
    its name, behind them."""
    name, count = _FACTORS.get(api, ("", 0))
    if not name or len(arguments) != count or any(one.keyword is not None or one.star for one in arguments):
        return arguments
    factor, *tensors = arguments
    return (*tensors, msgspec.structs.replace(factor, keyword=name))
