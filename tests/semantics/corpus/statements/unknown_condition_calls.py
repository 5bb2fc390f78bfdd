"""Under an unknown condition a function with effects is called or not; the rest goes on."""
# given: n in (0, 1)

log = []


def note(value):
    log.append(value)
    return value


note("first")
result = n and note("maybe")
note("last")
answer_first = log[0]
answer_last = log[-1]
answer_log = log
answer_result = result
assert n or True
answer_after_assert = "reached"
while n > 5:
    note("never")
answer_length_is_small = len(log) < 4
