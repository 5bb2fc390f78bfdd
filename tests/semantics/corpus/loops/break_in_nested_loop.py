"""A break leaves the inner loop only; the outer one goes on."""

seen = []
for row in range(4):
    for column in range(4):
        if column == row:
            break
        seen.append((row, column))
    else:
        seen.append("never broken")
answer = seen
answer_last = (row, column)
