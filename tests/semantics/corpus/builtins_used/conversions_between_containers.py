"""list, tuple, dict, set and str of each other; a dict iterates over its keys."""

d = {"b": 1, "a": 2}
answer = (list(d), tuple("ab"), dict([("x", 1), "yz"], w=3), list("abc"), sorted(d.items()), list(d.values()))
answer_set = (
    sorted({3, 1, 2} - {1}),
    {1} | {2},
    {1, 2} & {2, 3},
    {1, 2} ^ {2, 3},
    set(),
    frozenset("aab") == {"a", "b"},
)
answer_text = (
    str([1, "a", None]),
    str({"k": (1,)}),
    str(1.0),
    repr("a\n"),
    str(True),
    ", ".join(map(repr, (1, "b"))),
)
source = [[1], [2]]
copied = list(source)
source[0].append(9)
source.append("new")
answer_copied = copied
answer_order = list(dict.fromkeys([3, 1, 3, 2, 1]))
answer_reversed = (list(reversed(d)), d | {"a": 0, "c": 5}, len({**d, **d}))
