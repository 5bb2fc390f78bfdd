"""Finally changes the list whichever way the function is left."""
# given: n in (0, 1, 2)

log = []


def f(n):
    try:
        if n == 1:
            return "early"
        if n == 2:
            raise ValueError
        value = "late"
    except ValueError:
        value = "caught"
    finally:
        log.append("always")
    return value


answer_result = f(n)
answer_log = log
