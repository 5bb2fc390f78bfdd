"""Functions have attributes, names, defaults, and go into tables and lists."""


def f(a, b=1, *, c=2):
    """Doc of f."""
    f.calls += 1
    return a + b + c


f.calls = 0
table = {"f": f, "neg": lambda v: -v, "up": str.upper, "len": len}
answer = (table["f"](1), table["neg"](3), table["up"]("x"), table["len"]("abc"), f.calls)
answer_about = (f.__name__, f.__doc__, f.__defaults__, f.__kwdefaults__, (lambda: 0).__name__, f.__qualname__)
f.__defaults__ = (100,)
answer_changed = f(1)
answer_callable = (callable(f), callable(3), callable(int))
