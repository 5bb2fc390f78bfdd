"""The inner loop may be broken off, the outer one always runs to its end."""
# given: n in (0, 1, 9)

rounds, inner_rounds = [], 0
for i in range(3):
    for j in range(3):
        if j == n:
            break
        inner_rounds += 1
    rounds.append(i)
answer_rounds = rounds
answer_inner = inner_rounds
answer_j = j
answer_i = i
