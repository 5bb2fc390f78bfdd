"""Writing to an unknown index may have hit any item; the length and the other list are known."""
# given: n in (0, 1, 2)

values = [1, 2, 3]
alias = values
copy = list(values)
values[n] = "hit"
answer_values = alias
answer_length = len(alias)
answer_copy = copy
values[1] = 5
answer_one = alias[1]
answer_read = copy[n] > 0
answer_read_exact = copy[n]
