"""Generators that use each other and themselves: a tree walk, permutations, a merge of two sorted runs."""


def merge(a, b):
    a, b = iter(a), iter(b)
    x, y = next(a, None), next(b, None)
    while x is not None or y is not None:
        if y is None or (x is not None and x <= y):
            yield x
            x = next(a, None)
        else:
            yield y
            y = next(b, None)


def subsets(items):
    if not items:
        yield ()
        return
    for rest in subsets(items[1:]):
        yield rest
        yield (items[0], *rest)


def flatten(d, prefix=""):
    for key, value in d.items():
        if isinstance(value, dict):
            yield from flatten(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


answer = (
    list(merge([1, 4, 5], (2, 4))),
    sorted(subsets("abc")),
    dict(flatten({"a": {"b": 1, "c": {"d": 2}}, "e": 3})),
)
