"""A default and a closure take an unknown value at different times."""
# given: n in (1, 5)


def fixed(x=n, y=2):
    return y


def late():
    return n


def shown(x=n):
    return x


n = 100
answer_fixed = fixed()
answer_late = late()
answer_shown = shown()
answer_override = shown(3)
answer_names = shown.__code__.co_varnames
