"""A continue in finally cancels the exception and the break that are under way."""

log = []
for i in range(4):
    try:
        if i == 1:
            raise KeyError(i)
        if i == 2:
            break
        log.append(i)
    finally:
        log.append(f"f{i}")
        continue
answer = log
answer_i = i
