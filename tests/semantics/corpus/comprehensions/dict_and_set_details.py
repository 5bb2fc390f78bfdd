"""Dict comprehensions keep first-insertion order and the last value; key is evaluated before value."""

order = []


def note(v):
    order.append(v)
    return v


answer = {note(k): note(v) for k, v in zip("ab", (1, 2))}
answer_order = order
answer_duplicate = list({k: i for i, k in enumerate("bab")}.items())
answer_inverted = {v: k for k, v in {"x": 1, "y": 2}.items()}
answer_equal_keys = {k: str(k) for k in (1, 1.0, True, "1")}
answer_merge = {**{"a": 1, "b": 2}, "a": 3, **{"c": 4}}
answer_set = len({n % 3 for n in range(10)} | {frozenset({1})})
