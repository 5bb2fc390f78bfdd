"""A break at an unknown place: the name's type of end differs, what stands after the loop does not."""
# given: n in (0, 2, 9)

count = 0
total = 10
for i in range(5):
    if i == n:
        break
    count += 1
else:
    total = 10
answer_count = count
answer_total = total
answer_fixed = sum(range(5))
