"""The first round is always the same; whether there is a second one is unknown."""
# given: n in (0, 1, 7)

log = []
for step in ("one", "two", "three"):
    log.append(step)
    if n > 3:
        break
    if step == "two":
        break
answer_first = log[0]
answer_log = log
answer_has_three = "three" in log
