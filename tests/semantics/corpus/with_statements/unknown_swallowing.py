"""Whether the exception is swallowed is unknown, what the exit does is known."""
# given: n in (0, 1)


class Manager:
    def __enter__(self):
        log.append("enter")
        return 5

    def __exit__(self, kind, value, traceback):
        log.append("exit")
        return bool(n)


log = []
outcome = "nothing"
try:
    with Manager() as five:
        raise KeyError
    outcome = "swallowed"
except KeyError:
    outcome = "raised"
answer_log = log
answer_outcome = outcome
answer_five = five
