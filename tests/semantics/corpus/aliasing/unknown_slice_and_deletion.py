"""Slices, deletions and insertions at an unknown place: lengths are sometimes known, items are not."""
# given: n in (0, 1, 2)

values = ["a", "b", "c"]
head, tail = values[:n], values[n:]
answer_head = head
answer_joined = head + tail
removed = values.pop(n)
answer_removed = removed
answer_left = values
answer_length = len(values)
others = ["a", "a", "a"]
del others[n]
answer_others = len(others)
others.insert(n, "x")
answer_inserted = others
answer_membership = "x" in others
