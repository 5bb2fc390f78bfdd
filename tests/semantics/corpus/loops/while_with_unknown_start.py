"""A while loop of unknown length whose result is unknown, but whose exit condition gives a known value."""
# given: n in (0, 3, 8)

x = n
steps = 0
while x > 0:
    x -= 1
    steps += 1
answer_steps = steps
answer_other = [1, 2]
answer_done = x <= 0
