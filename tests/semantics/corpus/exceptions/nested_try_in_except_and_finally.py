"""try inside except and finally; the exception being handled comes back after the inner one."""

log = []
try:
    try:
        raise KeyError("outer")
    except KeyError:
        try:
            raise ValueError("inner")
        except ValueError as error:
            log.append((str(error), error.__context__.args))
        raise
    finally:
        try:
            log.append([][0])
        except IndexError:
            log.append("index")
        else:
            log.append("never")
except KeyError as error:
    log.append(error.args)


def f():
    try:
        return log.append("returning")
    finally:
        try:
            raise TypeError
        except TypeError:
            log.append("handled in finally")


f()
answer = log
