"""A list whose length nobody knows, where every item is the same: what is known of one is known of each."""
# given: count in (1, 2, 5)

sevens = [7 for _ in range(count)]
answer_first = sevens[0]
answer_last = sevens[-1]
total = set()
for item in sevens:
    total.add(item)
answer_item = item
mixed = list(sevens)
mixed.append(8)
answer_mixed = mixed[0]
answer_longer = (sevens + [7, 7])[1]
sevens[0] = 9
answer_after_setting = sevens[0]
pairs = [(index * 0, value) for index, value in enumerate([5] * 30)]
answer_pair = pairs[3]
popped = [7 for _ in range(count)].pop()
answer_popped = popped
changed = [7 for _ in range(count)]
changed.insert(0, 3)
answer_changed = changed[0]
extended = [7 for _ in range(count)]
extended.extend([7])
extended += [7]
answer_extended = extended[-1]
