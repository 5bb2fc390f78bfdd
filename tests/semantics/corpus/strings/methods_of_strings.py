"""Splitting, joining, stripping, replacing, searching; strip takes characters, not a prefix."""

text = "  conv1.weight, conv2.bias  "
answer = (
    text.split(),
    text.strip().split(", "),
    "a,b,,c".split(","),
    "a b c d".rsplit(" ", 1),
    "abc".partition("b"),
)
answer_strip = (
    "xxhixx".strip("x"),
    "model.module".lstrip("mode."),
    "layer1".removeprefix("layer"),
    "a.py".rstrip(".py"),
)
answer_find = (
    "banana".find("an"),
    "banana".rfind("an"),
    "banana".find("z"),
    "banana".count("ana"),
    "".join([]),
)
answer_case = ("hello world".title(), "ß".upper(), "AbC".swapcase(), "layer".capitalize(), "x".center(5, "."))
answer_tests = (
    "12".isdigit(),
    "".isdigit(),
    "a1".isalnum(),
    "abc".startswith(("x", "a")),
    "abc".endswith("bc", 2),
)
answer_more = ("a-b".replace("-", "+", 1), "\t".isspace(), "7".zfill(3), "%d%%" % 5, "x\ny\r\nz".splitlines())
