"""State that a with block sets and restores, with an exception that may come in between."""

# given: n in (0, 1)
from contextlib import contextmanager

state = {"mode": "train", "log": []}


@contextmanager
def evaluating():
    old = state["mode"]
    state["mode"] = "eval"
    try:
        yield old
    finally:
        state["mode"] = old
        state["log"].append("restored")


try:
    with evaluating() as old:
        inside = state["mode"]
        if n:
            raise ValueError
        state["log"].append("finished")
except ValueError:
    pass
answer_inside = inside
answer_mode = state["mode"]
answer_log = state["log"]
answer_last = state["log"][-1]
answer_old = old
