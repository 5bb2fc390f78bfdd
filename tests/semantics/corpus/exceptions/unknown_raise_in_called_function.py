"""A called function may raise half-way: what it did before is done, what follows the call may not be."""
# given: n in (0, 1)

state = {"steps": []}


def work(state):
    state["steps"].append("one")
    if n:
        raise RuntimeError("stop")
    state["steps"].append("two")
    state["finished"] = True


try:
    work(state)
    state["after"] = 1
except RuntimeError as error:
    state["error"] = str(error)
finally:
    state["end"] = True
answer_state = state
answer_first = state["steps"][0]
answer_end = state["end"]
answer_finished = state.get("finished", False)
