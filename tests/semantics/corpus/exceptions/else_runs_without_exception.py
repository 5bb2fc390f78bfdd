"""The else of a try runs only without exception, and its own exceptions are not caught there."""

log = []
for value in (1, 0, "x"):
    try:
        result = 10 / value
    except ZeroDivisionError:
        log.append("zero")
    except TypeError as problem:
        log.append(type(problem).__name__)
    else:
        log.append(result)
    finally:
        log.append("end")
answer = log
