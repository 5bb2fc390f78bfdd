"""Floats: representation, rounding to even, infinities, conversions, comparison with integers."""

import math

inf = float("inf")
answer = (
    0.1 + 0.2,
    1 / 3,
    1e16 + 1,
    5 // 2.0,
    7 % -3.0,
    round(2.675, 2),
    round(-2.5),
    round(3.5),
)
answer_inf = (
    inf > 10**400,
    -inf < 0,
    math.isnan(inf - inf),
    inf == inf + 1,
    max(1, 1.0),
    type(max(1.0, 1)).__name__,
)
answer_math = (
    math.sqrt(16),
    math.ceil(-1.5),
    math.gcd(12, 18),
    math.prod([2, 3, 4]),
    math.log2(8),
)
answer_is = (
    (2.0).is_integer(),
    (2.5).as_integer_ratio(),
    abs(-0.0),
    str(-0.0),
    1e22,
    123456789012345680.0,
    float(10**15),
)
answer_complex = (((1 + 2j) * (1 - 2j)).real, abs(3 + 4j), (2 + 0j) == 2, (1j).imag)
