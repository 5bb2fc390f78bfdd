"""One iterator is read by two loops; where the first one stops is unknown."""
# given: n in (0, 1, 5)

source = iter(["a", "b", "c", "d"])
first, second = [], []
for i, item in enumerate(source):
    first.append(item)
    if i == n:
        break
for item in source:
    second.append(item)
answer_first = first
answer_second = second
answer_together = len(first) + len(second)
answer_head = first[0]
answer_empty = list(source)
