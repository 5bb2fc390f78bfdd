"""Counter counts, adds and subtracts; OrderedDict moves to an end and compares with order."""

from collections import Counter, OrderedDict

c = Counter("abracadabra")
c.update(["b", "z"])
c["q"] -= 1
answer = (
    c.most_common(2),
    c["missing"],
    "missing" in c,
    dict(Counter(a=3, b=1) - Counter(a=1, b=5)),
    sum(c.values()),
)
answer_ops = (
    dict(Counter("ab") + Counter("b")),
    sorted(Counter(a=2, b=1).elements()),
    dict(Counter("ab") & Counter("bc")),
)
o = OrderedDict([("conv", 1), ("relu", 2), ("pool", 3)])
o.move_to_end("conv")
o.move_to_end("pool", last=False)
o["relu"] = 20
answer_order = (
    list(o.items()),
    o.popitem(last=False),
    OrderedDict(a=1, b=2) == OrderedDict(b=2, a=1),
    o == {"relu": 20, "conv": 1},
)
