"""The list itself is given from outside: a loop over it may run any number of times."""
# given: items in ([], [1], [1, 2, 3])

total, last = 0, "none"
constant = 5
for item in items:
    total += item
    last = item
    constant = 5
answer_total = total
answer_last = last
answer_constant = constant
copied = list(items)
copied.append("end")
answer_end = copied[-1]
answer_length = len(copied)
answer_unchanged = [0] * 2
