"""An assert about something unknown: after it the program has gone on, or was caught with the rest."""
# given: n in (0, 3)

state = ["start"]
try:
    assert n > 1, "too small"
    state.append("passed")
except AssertionError as error:
    state.append(str(error))
answer_state = state
answer_start = state[0]
answer_length = len(state)
try:
    assert False, [1, 2]
except AssertionError as error:
    answer_argument = error.args[0]
