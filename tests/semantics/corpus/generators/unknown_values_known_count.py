"""The values that a generator gives are unknown, how many there are is known, or the other way round."""
# given: n in (2, 3)


def values(n):
    yield n
    yield "fixed"
    if n > 2:
        yield "more"


got = list(values(n))
answer_second = got[1]
answer_count = len(got)
answer_sizes = [0 * len(str(n)) for _ in range(3)]
answer_doubled = [n * k for k in (0, 1)]
answer_zero = len([n + k for k in range(4)])
