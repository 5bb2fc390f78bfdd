"""enumerate with start, zip strict and uneven, map of several, filter with None; all of them run out once."""

numbers = map(lambda a, b: a * b, [1, 2, 3], (10, 20))
first_time, second_time = list(numbers), list(numbers)
answer = (first_time, second_time, list(filter(None, [0, 1, "", "a", []])), list(enumerate("ab", start=5)))
answer_zip = (
    list(zip([1, 2], "abc")),
    list(zip()),
    list(zip(*[(1, "a"), (2, "b")])),
    dict(zip("ab", range(2))),
)
try:
    list(zip([1, 2], [1], strict=True))
except ValueError:
    answer_strict = "uneven"
pairs = enumerate(["x", "y"])
index, value = next(pairs)
answer_rest = (index, value, list(pairs))
answer_map = (
    list(map(str, (1, None))),
    max(map(len, ["a", "bbb"])),
    set(map(type, [1, 2.0])) == {int, float},
)
