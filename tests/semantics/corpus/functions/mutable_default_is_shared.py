"""A mutable default is made once, when the function is defined, and keeps what was put in."""


def collect(item, into=[]):
    into.append(item)
    return into


first = collect(1)
second = collect(2)
third = collect(3, [])
answer = (first, second, third, first is second)
answer_default = collect.__defaults__
