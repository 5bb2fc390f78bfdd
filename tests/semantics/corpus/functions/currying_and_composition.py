"""Functions that return functions: compose, curry, a Y combinator and memo by hand."""

from functools import partial, reduce


def compose(*functions):
    return reduce(lambda f, g: lambda x: f(g(x)), functions, lambda x: x)


def memo(f, store={}):
    def inner(n):
        if (f.__name__, n) not in store:
            store[f.__name__, n] = f(n)
        return store[f.__name__, n]

    return inner


@memo
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


@memo
def twice(n):
    return n * 2


curry = lambda f: lambda a: lambda b: f(a, b)
answer = (
    compose(str, lambda x: x + 1, abs)(-5),
    curry(pow)(2)(10),
    fib(30),
    twice(3),
    len(memo.__defaults__[0]),
)
answer_y = (lambda f: f(f, 5))(lambda self, n: 1 if n == 0 else n * self(self, n - 1))
add = partial(lambda a, b, c=0: a + b + c, 1)
answer_partial = (add(2), add(2, c=3), partial(add, c=10)(5), [*map(partial(max, 3), [1, 5])])
