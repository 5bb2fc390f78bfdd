"""Several managers are entered from the left and left from the right; a later one may use an earlier one."""

from contextlib import contextmanager

log = []


@contextmanager
def tag(name):
    log.append("<" + name)
    try:
        yield name.upper()
    finally:
        log.append(name + ">")


with tag("a") as first, tag(first + "b") as second:
    log.append(second)
with (
    tag("c"),
    tag("d") as fourth,
):
    log.append(fourth)
answer = log
