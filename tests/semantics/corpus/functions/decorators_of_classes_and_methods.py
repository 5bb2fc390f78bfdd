"""A class decorator may return anything; decorators on methods get plain functions."""

log = []


def register(cls):
    log.append(cls.__name__)
    cls.extra = len(log)
    return cls


def instance_of(*args):
    return lambda cls: cls(*args)


def counted(method):
    def inner(self, *args):
        self.calls = getattr(self, "calls", 0) + 1
        return method(self, *args)

    inner.original = method
    return inner


@register
@register
class A:
    @counted
    def f(self, x):
        return x + self.extra


@instance_of(5)
class single:
    def __init__(self, n):
        self.n = n


a = A()
answer = (a.f(1), a.calls, A.f.original(a, 10), single.n, log)
