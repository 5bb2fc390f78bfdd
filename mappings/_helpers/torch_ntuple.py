import collections


def torch_ntuple(n, name="parse"):
    """A function that makes a tuple of `n` equal numbers of one, and a tuple of any sequence."""

    def parse(x):
        return tuple(x) if isinstance(x, collections.abc.Iterable) else (x,) * n

    parse.__name__ = name
    return parse
