"""Keyword arguments that are there or not, and values that are unknown beside known ones."""
# given: n in (0, 1)


def f(a, b=2, **rest):
    return {"a": a, "b": b, **rest}


options = {"b": 3} if n else {}
got = f(1, **options)
answer_a = got["a"]
answer_b = got["b"]
answer_keys = sorted(got)
more = f(n, c=4, **{"d": n})
answer_more_keys = list(more)
answer_c = more["c"]
answer_d = more["d"]
