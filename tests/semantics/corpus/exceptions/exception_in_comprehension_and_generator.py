"""An exception inside a comprehension binds nothing; in a generator it ends it for good."""

values = "before"
done = []
try:
    values = [done.append(v) or 6 // v for v in (3, 2, 0, 1)]
except ZeroDivisionError:
    pass


def numbers():
    for v in (2, 0, 1):
        yield 4 // v


run = numbers()
got = [next(run)]
try:
    next(run)
except ZeroDivisionError:
    got.append("failed")
got += list(run)


def stop():
    yield 1
    raise StopIteration


try:
    list(stop())
except RuntimeError:
    got.append("StopIteration became RuntimeError")
answer = (values, done, got)
