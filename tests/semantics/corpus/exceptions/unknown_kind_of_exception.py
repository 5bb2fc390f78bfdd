"""An exception is certain, which one is not; all handlers agree on one thing."""
# given: n in (0, 1, 2)

try:
    raise (KeyError("k"), ValueError("v"), IndexError("i"))[n]
except ValueError:
    handler, code = "value", 1
except LookupError as error:
    handler, code = type(error).__name__, 1
else:
    handler, code = "none", 2
answer_handler = handler
answer_code = code
answer_unbound = "error" in globals()
