"""A retry loop that succeeds at an unknown attempt."""
# given: n in (0, 1, 2)

attempts = []


def connect(attempt):
    if attempt < n:
        raise ConnectionError(attempt)
    return "connected"


for attempt in range(5):
    try:
        status = connect(attempt)
    except ConnectionError as error:
        attempts.append(error.args[0])
        continue
    break
else:
    status = "gave up"
answer_status = status
answer_attempt = attempt
answer_attempts = attempts
