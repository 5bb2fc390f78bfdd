"""A loop over a range of unknown length: its name may not be there, other names are known."""
# given: n in (1, 2, 5)

kept = "kept"
collected = []
for i in range(n):
    collected.append(kept)
answer_kept = kept
answer_collected = collected
answer_i = i
answer_first = collected[0]
