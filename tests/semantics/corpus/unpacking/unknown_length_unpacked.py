"""A list of unknown length is taken apart: its first item is known, the star is not."""
# given: n in (0, 1, 3)

items = ["first", *["middle"] * n, "last"]
first, *middle, last = items
answer_first = first
answer_last = last
answer_middle = middle
a, b = (n, "known")
answer_known = b
answer_unknown = a
