"""A name bound on one of two unknown ways only; reading it may raise NameError."""
# given: n in (0, 1)

if n:
    maybe = "bound"
try:
    got = maybe
except NameError:
    got = "unbound"
answer_got = got
answer_type = type(got).__name__
answer_there = "maybe" in globals()
