"""A runtime protocol looks at method names only; a TypedDict is a plain dict; Generic changes nothing."""

from typing import Generic, Protocol, TypedDict, TypeVar, runtime_checkable

T = TypeVar("T")


@runtime_checkable
class Sized(Protocol):
    def size(self): ...


class Box(Generic[T]):
    def __init__(self, item: T):
        self.item = item

    def size(self):
        return 1


class Options(TypedDict, total=False):
    width: int


options = Options(width=3)
options["depth"] = "any"
box = Box[int]("text")
answer = (
    isinstance(box, Sized),
    isinstance(3, Sized),
    options,
    type(options) is dict,
    box.item,
    type(box) is Box,
)
