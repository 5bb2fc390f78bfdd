"""Keeps a call from being converted by halves: `torch.zeros(n, dtype=mindspore.bool_)` is neither torch nor
MindSpore, and worse than what the user had."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mindport.checking.engine import Engine
from mindport.model.verdict import Verdict
from mindport.rewrite.pieces import Rewrite
from mindport.usage.api_use import ApiUse, Form


def whole_calls_only(
    rewrites: Mapping[int, Rewrite], uses: Sequence[ApiUse], engine: Engine
) -> dict[int, Rewrite]:
    """The rewrites without those of dtypes and other plain names that are arguments of a torch function which
    itself stays. A method that is the same in MindSpore takes either, so its arguments are converted."""
    staying = {
        argument.span
        for index, use in enumerate(uses)
        if index not in rewrites
        and use.form is Form.CALL
        and use.call is not None
        and engine.assess(use).judgement.verdict is not Verdict.SAME
        for argument in use.call.arguments
    }
    if not staying:
        return dict(rewrites)
    return {
        index: rewrite
        for index, rewrite in rewrites.items()
        if uses[index].form is not Form.VALUE or rewrite.span not in staying
    }
