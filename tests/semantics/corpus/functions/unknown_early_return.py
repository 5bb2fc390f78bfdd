"""A return under an unknown condition: the code after it may or may not have run."""
# given: n in (0, 1)

log = []


def f(log):
    log.append("begin")
    if n:
        return "early"
    log.append("end")


result = f(log)
answer_result = result
answer_begin = log[0]
answer_log = log
answer_global = "untouched"
