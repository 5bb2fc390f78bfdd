"""A bound method remembers its object; a function put on an instance is not bound."""

from types import MethodType


class Counter:
    def __init__(self):
        self.n = 0

    def up(self, by=1):
        self.n += by
        return self.n

    alias = up


a, b = Counter(), Counter()
up = a.up
b.up = up
b.up(5)
up()
a.twice = MethodType(lambda self: self.n * 2, a)
answer = (a.n, b.n, a.alias(), Counter.up(b, 7), a.twice(), up.__self__ is a, a.up == a.up)
Counter.up = lambda self: "patched"
answer_patched = (a.up(), b.up(), up())
