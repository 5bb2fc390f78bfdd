"""A module that is not there is replaced in the except clause."""

try:
    import a_module_that_nobody_has as fast
except ImportError:
    fast = None
try:
    from math import a_function_that_is_not_there as best
except ImportError as error:
    best = error.name
try:
    import json
except ImportError:
    has_json = False
else:
    has_json = True
answer = (fast, best, has_json)
