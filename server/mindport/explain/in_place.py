"""What holds for every rewrite of a torch call that changes its tensor in place. Said here once, so that the
mappings of those calls speak of their own function only."""

from __future__ import annotations

from mindport.mapping.schema import Case
from mindport.model.language import later, translated

_WRITTEN = later(
    "Writing through `[()]` changes the tensor itself, also where it is a view or has no dimensions; `[...]` would "
    "leave the base of most views as it was, and `[:]` wants a dimension. A copy keeps the old values for the gradient."
)
_COPIED = later(
    "`copy_` changes x and returns it, so the chain goes on. It has no effect on a transposed or strided view, "
    "and raises in a gradient that needs the old x."
)
_COMPUTED = later(
    "The value of the call is used, so it is computed without changing x: check that nobody reads x afterwards."
)


def in_place_remark(name: str, case: Case) -> str:
    """What a reader must know of the replacement of `name` by `case`; empty where `name` changes nothing in
    place (`torch.Tensor.add_` does, `torch.add` and `torch.Tensor.__add__` do not) or `case` has no template."""
    if case.rewrite is None or not name.endswith("_") or name.endswith("__"):
        return ""
    if case.rewrite.startswith("$input[()] ="):
        return translated(_WRITTEN)
    if case.rewrite.startswith("$input ="):
        return ""
    return translated(_COPIED if case.rewrite.startswith("$input.copy_(") else _COMPUTED)
