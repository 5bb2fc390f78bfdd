"""Each round of a loop of unknown length makes new objects; what does not depend on them stays known."""
# given: items in ([1], [1, 2], [3, 4, 5])

seen = []
fixed = 3
rows = []
for item in items:
    row = []
    for other in items:
        inner = [other]
        row.append(inner)
        inner.append(fixed)
    rows.append(row)
    seen = [item]
answer_fixed = fixed
answer_rows = rows[0][0][-1]
answer_seen = len(seen)
first = None
for item in items:
    if first is None:
        first = 4
answer_first = first
for item in items:
    temporary = 8
    doubled = temporary * 2
answer_doubled = doubled
