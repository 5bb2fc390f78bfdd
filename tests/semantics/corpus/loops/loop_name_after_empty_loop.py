"""A loop over nothing leaves its name as it was; a loop over something leaves the last item."""

item = "before"
for item in []:
    pass
answer_empty = item
for item in (1, 2, 3):
    pass
answer_after = item
for first, *rest in [(1, 2, 3), (4,)]:
    pass
answer_star = (first, rest)
