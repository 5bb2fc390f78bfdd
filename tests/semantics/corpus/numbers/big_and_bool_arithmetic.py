"""Integers have no limit; bools are integers; bit operations on negatives."""

answer = (2**100 % 97, (1 << 70) >> 68, -1 >> 5, -5 >> 1, ~7, 6 & -2, 5 ^ 3, 0b101 | 0o7, 0xFF)
answer_bool = (
    True + True,
    sum([True, False, True]),
    True * 5,
    -True,
    ~True if False else "skip",
    isinstance(True, int),
)
answer_index = (["no", "yes"][True], {1: "one", True: "true"}, True == 1.0, hash(1) == hash(True))
answer_text = (
    int("-12"),
    int("ff", 16),
    int("0b11", 0),
    int(" 7 "),
    float("1e3"),
    int(True),
    10_000,
    hex(-255),
    bin(5),
)
answer_power = (2**-2, 0**0, pow(3, 4, 5), (-8) ** 3, 10**20 // 3, -(2**2), (5).bit_length())
