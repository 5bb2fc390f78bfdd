"""An unknown index in a multiple assignment: which item is written is unknown, the others are known."""
# given: n in (0, 1)

values = [0, 0, 0]
a, values[n], b = 1, 2, 3
answer_values = values
answer_names = (a, b)
answer_third = values[2]
x, y = (n, 5)
x, y = y, x
answer_x = x
answer_y = y
(p, q), *r = [(1, n), 3, n]
answer_p = (p, r[0], len(r))
answer_q = q
