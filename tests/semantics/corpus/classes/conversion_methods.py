"""Special methods for conversions, and what falls back on which."""


class Number:
    def __index__(self):
        return 3

    def __str__(self):
        return "str"

    def __repr__(self):
        return "repr"

    def __iter__(self):
        return iter((1, 2))

    def __reversed__(self):
        return "reversed"

    def __class_getitem__(cls, item):
        return (cls.__name__, len(item))


n = Number()
answer = (
    int(n),
    "abcd"[n],
    [0] * n,
    hex(n),
    range(n),
    float(n),
    str(n),
    f"{n}",
    f"{n!r}",
    str([n]),
    "%s %r" % (n, n),
)
answer_more = (list(n), 2 in n, reversed(n), Number[int, 2][1], dict(zip("ab", n)))
