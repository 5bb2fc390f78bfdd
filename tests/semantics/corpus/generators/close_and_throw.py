"""close raises GeneratorExit at the yield; throw raises there, and the generator may go on."""

log = []


def stubborn():
    try:
        while True:
            try:
                yield len(log)
            except ValueError as error:
                log.append(str(error))
    finally:
        log.append("closed")


run = stubborn()
first = next(run)
second = run.throw(ValueError("thrown"))
run.close()
answer = (first, second, log)
try:
    next(run)
except StopIteration:
    answer_after = "over"
