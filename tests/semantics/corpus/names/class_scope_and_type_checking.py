"""Imports under TYPE_CHECKING do not run; names in annotations may be missing when they are text."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from a_module_that_nobody_has import Thing
else:
    Thing = None


class Net:
    Thing: "Missing" = 3

    def build(self: "Net", x: "list[Missing]" = ()) -> "Missing":
        Thing = len(x)
        return Thing, self.Thing


answer = (Thing, Net().build([1]), TYPE_CHECKING, Net.__annotations__)
DEBUG = __debug__
answer_doc = (__doc__.split(" ")[0], __name__ == "__main__", Net.__module__ == __name__)
