"""A module that may raise on import, in an unknown way; what it did before that has been done."""

# given: n in (0, 1)
import settings

settings.fail = bool(n)
try:
    import fragile

    loaded = True
    value = fragile.VALUE
except ImportError:
    loaded = False
    value = 10
answer_loaded = loaded
answer_value = value
answer_log = settings.log
answer_first = settings.log[0]
