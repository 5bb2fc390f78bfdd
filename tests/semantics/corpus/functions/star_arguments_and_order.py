"""Arguments from *, ** and plain ones mix; positional ones are evaluated from the left."""

order = []


def mark(value):
    order.append(value)
    return value


def f(*args, **kwargs):
    return args, kwargs


answer = f(mark(1), *[mark(2), mark(3)], mark(4), *(), x=mark(5), **{"y": mark(6)}, z=mark(7))
answer_order = order
try:
    f(a=1, **{"a": 2})
except TypeError:
    answer_twice = "given twice"
arguments, options = f()
options["new"] = 1
answer_fresh = f()
