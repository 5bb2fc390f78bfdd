"""A continue under an unknown condition skips a part of one round."""
# given: n in (0, 2, 8)

total = 0
rounds = 0
for i in range(4):
    rounds += 1
    if i == n:
        continue
    total += i
answer_rounds = rounds
answer_total = total
answer_i = i
