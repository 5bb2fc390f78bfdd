"""Sizes as convolutions compute them: floor, ceil, padding, doubling, rounding, products and powers."""

import math


def out(size, kernel, stride=1, padding=0, dilation=1):
    return (size + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1


def divisible(v, d=8):
    n = max(d, int(v + d / 2) // d * d)
    return n + d if n < 0.9 * v else n


size, sizes = 224, []
while size > 7:
    size = out(size, 3, 2, 1)
    sizes.append(size)
answer = sizes
answer_out = (out(5, 6), out(32, 5), out(7, 3, 2), out(10, 3, dilation=2), out(1, 2, 1, 1))
answer_width = [divisible(32 * w) for w in (0.35, 0.5, 1.4)]
answer_depth = [math.ceil(1.1 * r) for r in (1, 2, 10)], [int(round(0.67 * r)) for r in (1, 3, 9)]
answer_mixed = (
    64 * 2**3,
    512 // 3 * 3,
    int(512 * 0.3),
    2 ** (5 - 1),
    math.floor(-0.5),
    round(4.5) + round(5.5),
)
answer_float = (0.1 * 3, 1e-3 / 2, 0.1**2, 1 / 3 * 3 == 1.0, math.fsum([0.1] * 10) == 1)
rates = [x * 0.2 / 3 for x in range(4)]
answer_rates = rates
