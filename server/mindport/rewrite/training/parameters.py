"""`model.parameters()` where an optimizer takes it: there the trainable ones are meant.

An optimizer of torch passes over parameters without a gradient, so leaving the frozen ones out changes nothing.
Anywhere else the two names differ in what they list."""

from __future__ import annotations

from collections.abc import Sequence

from mindport.usage.api_use import ApiUse, Form

PARAMETERS = "torch.nn.Module.parameters"


def given_to_optimizers(uses: Sequence[ApiUse]) -> frozenset[int]:
    """The places in `uses` of the calls of `parameters()` inside the arguments of an optimizer of torch."""
    optimizers = [
        use.call.span
        for use in uses
        if use.call is not None and use.form is Form.CALL and _is_optimizer(use.api)
    ]
    return frozenset(
        index
        for index, use in enumerate(uses)
        if use.api == PARAMETERS
        and use.call is not None
        and not use.call.arguments
        and any(one.start <= use.span.start and use.call.span.end <= one.end for one in optimizers)
    )


def _is_optimizer(api: str) -> bool:
    """Whether a name is a class of `torch.optim` itself, as `torch.optim.SGD`."""
    module, _, name = api.rpartition(".")
    return module == "torch.optim" and name[:1].isupper()
