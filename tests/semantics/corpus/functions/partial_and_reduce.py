"""partial fixes arguments that may be overridden by keyword; reduce folds from the left."""

from functools import partial, reduce


def f(a, b=2, *args, c=3, **kwargs):
    return (a, b, args, c, kwargs)


half = partial(f, 1, c=30)
more = partial(half, 20, d=4)
answer = (half(), half(9), more(8, c=5), more.args, more.keywords)
answer_reduce = (reduce(lambda x, y: x * 10 + y, [1, 2, 3]), reduce(lambda x, y: x + y, [], "start"))
answer_map = list(map(partial(pow, 2), range(4)))
