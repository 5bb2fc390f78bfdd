"""A contextmanager that catches at its yield swallows; suppress and nullcontext do as they say."""

from contextlib import ExitStack, contextmanager, nullcontext, suppress


@contextmanager
def guard(kind):
    try:
        yield log
    except kind as error:
        log.append(type(error).__name__)


log = []
with guard(ValueError) as same:
    same.append("body")
    int("x")
    log.append("skipped")
with suppress(KeyError), nullcontext(5) as five:
    log.append(five)
    {}["missing"]
with ExitStack() as stack:
    for i in range(3):
        stack.callback(log.append, i)
answer = log
