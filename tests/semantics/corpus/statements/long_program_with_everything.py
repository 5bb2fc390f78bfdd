"""Loops, try, with, functions and classes together, in one function that keeps a list of what happened."""

from contextlib import suppress


class Stop(Exception):
    pass


def run(limit):
    trace = []
    for i in range(10):
        try:
            with suppress(ValueError):
                if i == 1:
                    raise ValueError
                if i == limit:
                    raise Stop(i)
                if i % 2:
                    continue
                trace.append(i)
            trace.append("w")
        except Stop as stop:
            trace.append(stop.args[0])
            break
        else:
            trace.append("e")
        finally:
            trace.append("f")
            if i > 7:
                return trace, "returned"
    else:
        trace.append("never")
    return trace, "broken"


answer = [run(n) for n in (0, 4, 100)]
