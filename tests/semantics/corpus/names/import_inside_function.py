"""An import inside a function binds a local name, and finds the same module each time."""


def f():
    import math as m
    from collections import OrderedDict as Table

    return m.floor(2.7), list(Table(a=1)), m


def g():
    import math

    return math


answer = (f()[:2], f()[2] is g(), "math" in globals(), "m" in globals())


class Holder:
    import string
    from os.path import join as put_together


answer_class = (
    Holder.string.digits,
    Holder().string.digits[:2],
    Holder.put_together("a", "b").replace("\\", "/"),
)
