"""Which manager is used is unknown, what both do alike is known."""

# given: n in (0, 1)
from contextlib import nullcontext, suppress


class Recording:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        log.append("in")
        return self

    def __exit__(self, *details):
        log.append(self.name)
        return False


log = []
with Recording("a") if n else Recording("b") as manager:
    log.append("body")
answer_start = log[:2]
answer_log = log
answer_length = len(log)
outcome = "start"
try:
    with suppress(KeyError) if n else nullcontext():
        outcome = "inside"
        raise KeyError
except KeyError:
    outcome = "raised"
answer_outcome = outcome
