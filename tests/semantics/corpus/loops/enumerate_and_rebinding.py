"""Assigning to the loop's name inside the body does not change the next round."""

out = []
for i in range(4):
    out.append(i)
    i += 10
answer = out
answer_i = i
sequence = [1, 2, 3]
for x in sequence:
    sequence = ["other"]
    out.append(x)
answer_all = out
