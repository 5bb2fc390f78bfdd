"""A return in finally under an unknown condition overrides, or lets go on, what is under way."""
# given: n in (0, 1)


def f(log):
    try:
        log.append("try")
        raise ValueError("lost or not")
    finally:
        log.append("finally")
        if n:
            return "overridden"


log = []
try:
    result = f(log)
except ValueError:
    result = "raised"
answer_result = result
answer_log = log


def g():
    for i in range(3):
        try:
            return i
        finally:
            if n:
                continue
    return "through"


answer_g = g()
