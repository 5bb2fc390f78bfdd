"""__iter__ as a generator gives a fresh run each time; a generator object gives itself."""


class Tree:
    def __init__(self, value, *children):
        self.value, self.children = value, children

    def __iter__(self):
        yield self.value
        for child in self.children:
            yield from child


tree = Tree(1, Tree(2, Tree(3)), Tree(4))
run = iter(tree)
answer = (list(tree), list(tree), iter(run) is run, next(run), 3 in tree, list(run), sum(tree), [*tree][-1])


def primes():
    found = []
    n = 2
    while True:
        if all(n % p for p in found):
            found.append(n)
            yield n
        n += 1


answer_primes = [p for p, _ in zip(primes(), range(6))]
a, (b, *c), d = (g for g in ("a", (v for v in (1, 2, 3)), "d"))
answer_unpacked = (a, b, c, d)
