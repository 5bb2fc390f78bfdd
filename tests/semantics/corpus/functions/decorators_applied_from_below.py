"""Decorators are evaluated from above and applied from below; they may return anything."""

from functools import wraps

log = []


def tag(name):
    log.append(f"make {name}")

    def decorate(f):
        log.append(f"apply {name}")

        @wraps(f)
        def inner(*args, **kwargs):
            return f"<{name}>{f(*args, **kwargs)}</{name}>"

        return inner

    return decorate


@tag("b")
@tag("i")
def text(value="x"):
    """Doc."""
    return value


@str.upper
@lambda f: f.__name__
def loud():
    pass


answer = (text("t"), text(), text.__name__, text.__doc__, text.__wrapped__.__name__ == "text", loud)
answer_log = log
