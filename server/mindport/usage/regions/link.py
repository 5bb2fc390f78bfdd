"""One API on a second-order link, and how the link reaches it."""

from __future__ import annotations

import enum

import msgspec

from mindport.model.span import Span
from mindport.usage.api_use import ApiUse


class LinkKind(enum.Enum):
    """What happens at a place of the chain."""

    DIFFERENTIATED = "differentiated"  # the call that takes the gradient of a gradient
    CALLED = "called"  # a function or module of the project is called
    APPLIED = "applied"  # the layer that was made elsewhere is called


class ChainPlace(msgspec.Struct, frozen=True):
    """One place between the call that differentiates and the API: `name` is what is called there."""

    path: str
    span: Span
    step: LinkKind
    name: str


class ChainLink(msgspec.Struct, frozen=True):
    """An API between the inputs that are differentiated and the output. `use` is the same as in `FileUsage.uses` where
    torch is used; for names of MindSpore it is made here, as those have no rows of their own. An empty `use.api` is a
    call of something that was not followed.

    `chain` leads from the call that differentiates (first) to the API. `is_certain` is false where the link hangs on a
    condition, on one of several callers, or on a value that was not followed to its end. `is_compiled`: the gradient is
    taken inside `ms.jit`. `gradient` is the expression that makes the function that is differentiated again, where
    there is one (`ms.grad(critic)`). `is_wide`: the gradient passes through an operand behind the first.
    `rank` is the number of dimensions of the first operand, where the code shows it. `is_last`: it is linear, and so
    is all that comes behind it, so that its gradient hangs on nothing that could be lost."""

    use: ApiUse
    chain: tuple[ChainPlace, ...]
    is_certain: bool
    is_compiled: bool = False
    gradient: ChainPlace | None = None
    is_wide: bool = False
    rank: int | None = None
    is_last: bool = False
    index: str = ""  # of a subscript, as source
