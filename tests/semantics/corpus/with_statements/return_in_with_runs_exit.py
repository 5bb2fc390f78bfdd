"""A return inside with runs __exit__; a swallowed exception goes on after the with."""


class Manager:
    def __init__(self, swallow):
        self.swallow = swallow

    def __enter__(self):
        log.append("in")

    def __exit__(self, *details):
        log.append(details[0] is None)
        return self.swallow


log = []


def f(swallow, fail):
    with Manager(swallow) as nothing:
        if fail:
            raise KeyError
        return ("returned", nothing)
    return "after"


answer = (f(True, False), f(True, True), f(False, False))
answer_log = log
