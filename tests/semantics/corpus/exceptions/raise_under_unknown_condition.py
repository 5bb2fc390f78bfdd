"""An exception that may be raised: what is done before it is done, what is after it is in doubt."""
# given: n in (-1, 0, 4)

log = []
try:
    log.append("start")
    if n < 0:
        raise ValueError("negative")
    log.append("middle")
except ValueError:
    status = "failed"
else:
    status = "passed"
answer_first = log[0]
answer_log = log
answer_status = status
