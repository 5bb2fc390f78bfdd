"""The argument is unknown; some results depend on it and some do not."""
# given: n in (-3, 0, 4)


def pick(value, table=("a", "b")):
    if value < 0:
        return table[0], value
    return table[0], abs(value)


def early(value):
    if value:
        return []
    return [value]


name, size = pick(n)
answer_name = name
answer_size = size
answer_type = type(early(n)).__name__
answer_early = early(n)
answer_kwargs = (lambda **kw: sorted(kw))(a=n, b=1)
