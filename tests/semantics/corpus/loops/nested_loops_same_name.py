"""An inner loop that uses the outer loop's name changes it for the rest of the round only."""

log = []
for i in range(3):
    for i in "xy":
        pass
    log.append(i)
for i, i in [(1, 2), (3, 4)]:
    log.append(i)
for (a, b), c in zip([(1, 2), (3, 4)], "pq"):
    log.append(a * b)
for index, (key, value) in enumerate({"k": 1, "l": 2}.items()):
    log.append((index, key, value))
answer = log
answer_i = i
