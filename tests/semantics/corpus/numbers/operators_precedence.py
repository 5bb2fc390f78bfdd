"""Precedence: power binds tighter than minus, `not` looser than comparison, shifts looser than plus."""

# fmt: off
answer_power = (-2**2, -2**2 == -4, 2**3**2, 2**-1 * 4)
answer = (1 + 2 << 3, 1 | 2 & 3 ^ 1, not 1 == 2, -7 // 2, -(7 // 2), ~-3)
answer_compare = (1 < 2 == 2, 3 & 1 == 1, not True in [False], 5 - 3 - 1, 2 * 3 % 4, 7 // 2 * 2)
answer_conditional = 1 if True else 2 + 1
answer_lambda = [f(3) for f in (lambda x: x if x > 2 else 0, lambda x: (x, 1)[0] or 5)]
answer_and_or = (1 or 0 and 0, (1 or 0) and 0, not 0 or 1, not (0 or 1), 0 == False is not True)
answer_unary = (+True, -False, +-+1, ~0 + 1, 4 .real, 1..real, 10 % 3 * 2, -10 % 3, 10 % -3, -1**2)
