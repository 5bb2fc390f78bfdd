"""A class with __eq__ and without __hash__ has no hash; != follows __eq__."""


class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __eq__(self, other):
        if not isinstance(other, Pair):
            return NotImplemented
        return self.a == other.a

    def __lt__(self, other):
        return self.b < other.b


class Hashed(Pair):
    def __hash__(self):
        return hash(self.a)


p, q = Pair(1, 5), Pair(1, 3)
answer = (p == q, p != q, p == 1, p is q, q in [p], [p, q].index(q), sorted([p, q])[0].b, p > q)
answer_set = len({Hashed(1, 0), Hashed(1, 9), Hashed(2, 0)})
try:
    hash(p)
except TypeError:
    answer_hash = "unhashable"
