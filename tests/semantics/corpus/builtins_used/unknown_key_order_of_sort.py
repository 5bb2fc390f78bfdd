"""Sorting with an unknown value: the order is unknown, the length and the other list are not."""
# given: n in (0, 5, 9)

values = [4, n, 7]
others = [3, 2]
values.sort()
others.sort()
answer_values = values
answer_length = len(values)
answer_others = others
answer_has_four = 4 in values
values.clear()
answer_cleared = values
