"""A vector with operators that make new ones, in-place forms that do not, and aliases."""


class Vec:
    def __init__(self, *v):
        self.v = list(v)

    def __add__(self, o):
        return Vec(*(a + b for a, b in zip(self.v, o.v)))

    def __iadd__(self, o):
        self.v = [a + b for a, b in zip(self.v, o.v)]
        return self

    def __mul__(self, k):
        return Vec(*(a * k for a in self.v))

    __rmul__ = __mul__

    def __matmul__(self, o):
        return sum(a * b for a, b in zip(self.v, o.v))

    def __getitem__(self, i):
        return self.v[i]


a = b = c = Vec(1, 2)
a += Vec(1, 1)
c *= 2
d = 3 * b
first, second = d
answer = (b.v, c.v, d.v, a @ b, (a + d).v, first, second, max(a), a is b, sum([a, d], Vec(0, 0)).v, a[::-1])
