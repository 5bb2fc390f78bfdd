"""The name of an except clause is deleted at its end, even if it was bound before."""

error = "before"
try:
    raise ValueError("inside")
except ValueError as error:
    kept = error.args
try:
    error
    left = "still there"
except NameError:
    left = "deleted"
answer = (kept, left)
