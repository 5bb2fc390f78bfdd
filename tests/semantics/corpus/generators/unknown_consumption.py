"""A generator is asked an unknown number of times, so what it gives next is unknown."""
# given: n in (0, 1, 2)

made = []


def source():
    for i in range(4):
        made.append(i)
        yield i


run = source()
first = next(run)
for _ in range(n):
    next(run)
answer_first = first
answer_next = next(run)
answer_made = made
rest = list(run)
answer_last = made[-1]
answer_all = made
answer_empty = list(run)
answer_rest = rest
