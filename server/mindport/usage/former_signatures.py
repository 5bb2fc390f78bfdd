"""Calls by signatures that torch had before 1.5 and still takes, with a warning: the factors stood before the tensors.

Optimizers of one's own have them still, `p.data.add_(-lr, d_p)`, and what looks a step ahead: `w.sub(lr, grad)`."""

from __future__ import annotations

import msgspec

from mindport.usage.api_use import Argument

_METHOD = "torch.Tensor."
# The methods, whose forms that end in `_` take the same, with the number of their tensors and what the factors are.
_FACTORS = {
    **dict.fromkeys(("add", "sub"), (1, ("alpha",))),
    **dict.fromkeys(("addcmul", "addcdiv"), (2, ("value",))),
    **dict.fromkeys(("addmm", "addmv", "addbmm", "baddbmm", "addr"), (2, ("beta", "alpha"))),
}


def with_present_signature(api: str, arguments: tuple[Argument, ...]) -> tuple[Argument, ...]:
    """The arguments of a call as the present signature of a method takes them: factors before the tensors are passed by
    their names, behind them."""
    if not api.startswith(_METHOD) or any(one.keyword is not None or one.star for one in arguments):
        return arguments
    count, names = _FACTORS.get(api.removeprefix(_METHOD).rstrip("_"), (0, ()))
    given = len(arguments) - count
    if not 0 < given <= len(names):
        return arguments
    factors = (
        msgspec.structs.replace(factor, keyword=name)
        for factor, name in zip(arguments[:given], names, strict=False)
    )
    return (*arguments[given:], *factors)
