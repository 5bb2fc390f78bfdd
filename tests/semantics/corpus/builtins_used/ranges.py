"""Ranges are sequences: length, index, slices, equality, membership, negative steps."""

r = range(10, 0, -3)
answer = (list(r), len(r), r[1], r[-1], r[1:], r[::-1], 4 in r, 5 in r, r.index(4), bool(range(5, 5)))
answer_equal = (
    range(0) == range(3, 1),
    range(0, 5, 2) == range(0, 6, 2),
    range(3) == [0, 1, 2],
    hash(range(2)) == hash(range(0, 2)),
)
answer_range = range(1, 4)
numbers = list(range(3))
for i in range(len(numbers)):
    numbers.insert(0, i)
answer_numbers = (numbers, list(reversed(range(3))), [*range(2, 8, 5)], sum(range(101)))
try:
    range(1, 2, 0)
except ValueError:
    answer_error = "zero step"
