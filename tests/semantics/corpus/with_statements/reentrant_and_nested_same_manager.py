"""One manager entered twice keeps its count; a contextmanager as decorator makes a new one each call."""

from contextlib import ContextDecorator, contextmanager


class Depth(ContextDecorator):
    def __init__(self):
        self.now, self.deepest = 0, 0

    def __enter__(self):
        self.now += 1
        self.deepest = max(self.now, self.deepest)
        return self.now

    def __exit__(self, *details):
        self.now -= 1


@contextmanager
def logged(name):
    log.append(f"+{name}")
    yield
    log.append(f"-{name}")


@logged("f")
def f(x):
    return x * 2


log = []
depth = Depth()
with depth as one, depth as two:
    inner = depth.now
with depth as three:
    values = f(1), f(2)
answer = (one, two, inner, three, depth.now, depth.deepest, values, log)
