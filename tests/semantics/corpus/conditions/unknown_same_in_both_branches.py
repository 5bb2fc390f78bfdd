"""Both branches of an unknown condition give the same value, by different ways."""
# given: n in (0, 1, 5)

if n:
    width = 32 * 2
else:
    width = 64
answer_width = width
answer_expression = 7 if n > 3 else 3 + 4
answer_differs = 1 if n else 2
