"""A star target takes what is left over as a list, possibly nothing."""

first, *middle, last = range(5)
*start, end = "abc"
a, *empty = [1]
(b, [c, *d]), e = (1, [2, 3, 4]), 5
answer = (first, middle, last, start, end, a, empty, b, c, d, e)
x = [0, 0, 0]
i = 0
i, x[i] = 2, "set"
answer_order = (i, x)
