"""Arithmetic with an unknown number is unknown; what does not hang on it is known."""
# given: n in (0, 3, -4)

answer_product = n * 2
answer_fixed = 3 * 4 + (1 if n == n else 1)
answer_divmod = divmod(7, 2)
answer_in_list = [n, 5][1]
answer_not_negative = abs(n) >= 0
answer_parity = (n * 2) % 2
width = n + 1
width = 64
answer_width = width
