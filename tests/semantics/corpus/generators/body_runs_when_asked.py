"""A generator's body does not run until the first next, and stops at each yield."""

log = []


def numbers():
    log.append("start")
    for i in range(3):
        yield i
        log.append(f"after {i}")
    log.append("end")
    return "value"


run = numbers()
before = list(log)
first = next(run)
for value in run:
    if value == 1:
        break
answer = (before, first, value, list(log), list(run), log[-1], next(run, "over"))
