"""sort, reverse, append, update and the like change in place and return None; pop and remove differ."""

values = [3, 1, 2]
results = [values.append(0), values.sort(), values.reverse(), values.insert(1, "i"), values.extend("ab")]
popped = values.pop(1)
values.remove("a")
answer = (values, results, popped, values.index(0), values.count(3))
mapping = {"a": 1}
answer_dict = (mapping.update(b=2), mapping, mapping.popitem(), mapping.clear(), mapping)
chained = sorted([2, 1]).append(3)
answer_chained = chained
copied = values.copy()
values.clear()
answer_copied = (copied, values)
