"""Builtins given something unknown: what hangs on it and what does not."""
# given: n in (0, 1, 4)

values = [n, 1, 2]
answer_length = len(values)
answer_sum = sum(values)
answer_max = max(values)
answer_enumerated = [i for i, _ in enumerate(values)]
answer_zip = len(list(zip(values, "ab")))
answer_any = any([True, n])
answer_all = all([n, 0])
answer_min_of_known = min(values[1:])
answer_range = len(range(n))
answer_is_list = isinstance(values, list)
answer_sorted = sorted(values, key=lambda v: 0) == values
