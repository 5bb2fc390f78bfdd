"""Except clauses are tried in order, by subclass; tuples match any of their classes."""


class Base(Exception):
    pass


class Child(Base):
    pass


def handle(error):
    try:
        raise error
    except (TypeError, Child):
        return "tuple"
    except Base as caught:
        return "base " + "".join(map(str, caught.args))
    except Exception:
        return "any"


answer = [handle(e) for e in (Child(), Base("x", 1), ValueError(), TypeError, KeyError("k"))]
