"""The for-else-continue-break idiom that leaves two loops at once."""

found = None
for a in range(2, 10):
    for b in range(a, 10):
        if a * b == 35:
            found = (a, b)
            break
    else:
        continue
    break
answer = found
answer_a = a
