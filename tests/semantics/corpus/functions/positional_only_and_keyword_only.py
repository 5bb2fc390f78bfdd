"""Positional-only names may be given again as keywords that go to **kwargs."""


def f(a, b=2, /, c=3, *rest, d, e=5, **more):
    return (a, b, c, rest, d, e, sorted(more.items()))


answer = [f(1, d=4), f(1, 9, 8, 7, 6, d=0), f(1, d=4, a=10, b=20), f(*[1, 2], **{"d": 3, "z": 26})]


def g(*, a):
    return a


try:
    g(1)
except TypeError:
    answer_error = "positional"
