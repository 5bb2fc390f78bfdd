"""A return in finally replaces the return of try, and swallows an exception."""


def replaced():
    try:
        return "try"
    finally:
        return "finally"


def swallowed():
    try:
        raise ValueError("lost")
    finally:
        return "swallowed"


def too_late():
    value = 1
    try:
        return value
    finally:
        value = 2


answer = (replaced(), swallowed(), too_late())
