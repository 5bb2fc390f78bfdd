"""An endless loop over an iterator ends by StopIteration that is caught outside."""

numbers = iter([1, 2, 3])
got = []
try:
    while True:
        got.append(next(numbers))
except StopIteration as stop:
    value = stop.value
else:
    value = "not reached"
answer = (got, value, next(numbers, "default"))
