"""sum with a start, of lists and of bools; min and max with key and default give the first of equals."""

answer = (
    sum([[1], [2, 3]], []),
    sum(x > 1 for x in range(5)),
    sum([0.5, 1]),
    sum([], -1),
    sum([1, 2], start=10),
)
answer_max = (
    max([3, 1, 3.0]),
    max("apple", "fig", key=len),
    min([(1, "b"), (1, "a")]),
    max({"a": 3, "b": 1}),
)
table = {"x": 1, "y": 5, "z": 5}
answer_best = (
    max(table, key=table.get),
    min(table.values()),
    max(table.items(), key=lambda kv: (kv[1], kv[0])),
)
answer_none = (max((), default=None), min([], key=abs, default=0), max([-4, 3], key=abs), min(2, 1, 3))
