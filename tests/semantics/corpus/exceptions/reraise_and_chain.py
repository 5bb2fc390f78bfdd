"""A bare raise goes on with the same exception; `from` sets the cause; context is set by itself."""

log = []
try:
    try:
        try:
            raise KeyError("a")
        except KeyError:
            log.append("inner")
            raise
        finally:
            log.append("finally")
    except LookupError as error:
        log.append(type(error).__name__)
        raise ValueError("b") from error
except ValueError as outer:
    log += [outer.args, outer.__cause__.args]
try:
    try:
        1 / 0
    except ZeroDivisionError:
        undefined_name
except NameError as error:
    log.append(type(error.__context__).__name__)
answer = log
