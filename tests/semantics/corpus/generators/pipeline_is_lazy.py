"""A pipeline of generators takes one value at a time through all stages."""

log = []


def source():
    for i in range(10):
        log.append(("made", i))
        yield i


def even(values):
    for v in values:
        if v % 2 == 0:
            yield v


taken = []
for v in (log.append(("used", v)) or v * 10 for v in even(source())):
    taken.append(v)
    if len(taken) == 2:
        break
answer = (taken, log)
