"""singledispatch looks at the class of the first argument; total_ordering and cmp_to_key make orders."""

from functools import cmp_to_key, singledispatch, total_ordering


@singledispatch
def kind(value):
    return "other"


@kind.register
def _(value: int):
    return "int"


@kind.register(list)
def _(value):
    return "list"


@total_ordering
class Size:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return self.n == other.n

    def __lt__(self, other):
        return self.n < other.n


answer = (Size(1) >= Size(1), Size(2) > Size(1), sorted([1, 3, 2], key=cmp_to_key(lambda a, b: b - a)))
answer_kind = (kind(True), kind([]), kind("x"), kind.dispatch(bool)(0))
