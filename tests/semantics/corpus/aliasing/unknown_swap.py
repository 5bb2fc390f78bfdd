"""Two names are swapped or not; together they still hold the same two lists."""
# given: n in (0, 1)

a, b = [1], [2]
keep_a, keep_b = a, b
if n:
    a, b = b, a
a.append("to a")
b.append("to b")
answer_a = a
answer_kept = keep_a
answer_first = keep_a[0]
answer_lengths = (len(keep_a), len(keep_b))
answer_different = a is not b
answer_last = a[-1]
