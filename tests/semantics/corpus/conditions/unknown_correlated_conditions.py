"""Two tests of the same unknown value agree, so the impossible combination never happens."""
# given: flag in (False, True)

a = 1 if flag else 2
b = 2 if flag else 1
answer_sum = a + b
answer_a = a
if flag:
    c = "x"
else:
    c = "y"
if not flag:
    c = "x"
answer_c = c
