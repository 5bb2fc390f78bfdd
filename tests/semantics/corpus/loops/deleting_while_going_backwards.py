"""Indices taken from the end stay right when items are deleted; taken from the front they do not."""

values = [1, 2, 2, 3, 2]
for i in range(len(values) - 1, -1, -1):
    if values[i] == 2:
        del values[i]
forward = [1, 2, 2, 3, 2]
try:
    for i in range(len(forward)):
        if forward[i] == 2:
            del forward[i]
except IndexError:
    broken_at = i
reverse = [1, 2, 3, 4]
seen = []
for v in reversed(reverse):
    seen.append(v)
    reverse.remove(v)
copied = [5, 6]
for v in copied[:]:
    copied.remove(v)
answer = (values, forward, broken_at, seen, reverse, copied)
