"""A cached function runs its body once for each argument, so its side effects happen once."""

from functools import cache, cached_property, lru_cache

calls = []


@lru_cache(maxsize=None)
def fib(n):
    calls.append(n)
    return n if n < 2 else fib(n - 1) + fib(n - 2)


@cache
def fresh():
    return []


class Box:
    made = 0

    @cached_property
    def value(self):
        Box.made += 1
        return Box.made * 10


box = Box()
answer = (fib(10), len(calls), fresh() is fresh(), box.value + box.value, Box.made, sorted(vars(box)))
fresh().append(1)
answer_changed = fresh()
