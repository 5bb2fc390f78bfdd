"""Operands go from left to right, but an assignment's right side before its targets; keys before values."""

log = []


def n(value):
    log.append(value)
    return value


class Box:
    pass


def box(label):
    log.append(label)
    return store


store = Box()
store.d = {}
box("target").d[n("key")] = n("value")
first = n(1) + n(2) * n(3) ** n(2)
second = n("then") if n(0) else n("else")
third = {n("k"): n("v"), **{n("k2"): n("v2")}}
fourth = n([0, 1, 2])[n(1) : n(2)]
fifth = n(5) < n(4) < n("skipped")
(lambda x, y=n("default"): x)(n("argument"))
answer = log
answer_store = (store.d, first, second, third, fourth, fifth)
