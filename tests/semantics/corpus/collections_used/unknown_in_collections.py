"""A counter, a deque and a defaultdict that get something unknown beside something known."""
# given: key in ("a", "b")

from collections import Counter, OrderedDict, defaultdict, deque

groups = defaultdict(list)
groups["fixed"].append(1)
groups[key].append(2)
answer_fixed = groups["fixed"]
answer_size = len(groups)
answer_a = groups["a"]
last = deque(maxlen=2)
for item in (key, "x", "y"):
    last.append(item)
answer_last = list(last)
counts = Counter(["x", key, "x"])
answer_total = sum(counts.values())
answer_x = counts["x"]
answer_counts = dict(counts)
layers = OrderedDict([("one", key), ("two", 2)])
answer_names = list(layers)
answer_two = layers["two"]
