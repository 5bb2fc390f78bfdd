"""yield from hands on all values of any iterable; sum, max, zip, dict and star take generators."""


def flatten(tree):
    if isinstance(tree, list):
        for part in tree:
            yield from flatten(part)
    else:
        yield tree


def chain():
    result = yield from inner()
    yield result
    yield from "ab"
    yield from {"k": 1}


def inner():
    yield 1
    return "returned"


answer = (
    list(flatten([1, [2, [3, []], 4]])),
    list(chain()),
    sum(flatten([1, [2]])),
    max(v for v in (3, 9, 4)),
)
answer_more = (dict((c, i) for i, c in enumerate("xy")), [*flatten([[7]])], list(zip(flatten([1, 2]), "ab")))
a, *b = (v * v for v in range(4))
answer_star = (a, b)
