"""Breaking off a loop over a generator leaves it open until it is closed; its with blocks end then."""

from contextlib import closing, contextmanager

log = []


@contextmanager
def resource(name):
    log.append("open " + name)
    yield name
    log.append("close " + name)


def lines():
    with resource("file") as name:
        for i in range(3):
            yield name + str(i)


got = list(lines())
run = lines()
try:
    with closing(run) as stream:
        for line in stream:
            got.append(line)
            break
    log.append("after closing")
finally:
    answer = (got, log)
answer_state = (run.gi_frame is None, next(run, "over"))
