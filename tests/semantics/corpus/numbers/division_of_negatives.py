"""Floor division and modulo round down, so their signs follow the divisor; int() cuts towards zero."""

answer = [(a // b, a % b, divmod(a, b)) for a in (7, -7) for b in (2, -2)]
answer_cut = [int(-3.5), -7 // 2, int(-7 / 2), round(-3.5), round(2.5), round(0.5)]
answer_float = (7.0 // 2, -7.5 % 2, 6 / 3, 2**-1, type(4 / 2).__name__)
