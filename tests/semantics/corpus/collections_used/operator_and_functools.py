"""itemgetter, attrgetter, methodcaller and the functions that stand for operators."""

import operator
from functools import reduce


class Size:
    def __init__(self, n):
        self.n = n
        self.inner = [n, n * 2]


size = Size(4)
answer = (
    operator.itemgetter(1, -1)("abc"),
    operator.attrgetter("n")(size),
    operator.methodcaller("split", ",")("a,b"),
)
answer_reduce = (
    reduce(operator.mul, [1, 2, 3, 4]),
    operator.add([1], [2]),
    operator.floordiv(-7, 2),
    operator.not_(0),
)
answer_sorted = sorted([{"k": 2}, {"k": 1}], key=operator.itemgetter("k"))
operator.setitem(size.inner, 0, "set")
alias = size.inner
same = operator.iadd(alias, ["added"])
answer_inner = (
    size.inner,
    same is alias,
    operator.contains([1], 1),
    operator.index(True),
    operator.getitem("ab", 1),
)
