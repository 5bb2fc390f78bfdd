"""Comprehensions evaluate in order, call functions, build closures, and nest scopes."""

log = []


def note(v):
    log.append(v)
    return v


answer = [[note((i, j)) for j in range(i)] for i in range(3) if note(i) != 1]
answer_log = log
functions = [lambda: (i, j) for i in range(2) for j in range(2)]
answer_late = [f() for f in functions]
answer_fixed = [(lambda k: lambda: k)(i)() for i in range(3)]


def outer(n):
    return {k: [n * v for v in vs] for k, vs in {"a": [1], "b": [2, 3]}.items()}


answer_outer = outer(2)
answer_lists = [row for row in [[0]] * 2 if row.append(1) is None]
