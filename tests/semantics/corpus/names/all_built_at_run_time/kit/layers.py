__all__ = []


def public(f):
    __all__.append(f.__name__)
    return f


@public
def linear(n):
    return n * n + secret()


@public
def conv(n):
    return n * 9


def secret():
    return 1


shared = "layers"
