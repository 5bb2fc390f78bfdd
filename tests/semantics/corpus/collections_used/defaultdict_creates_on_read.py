"""Reading a missing key of a defaultdict creates it; get and `in` do not."""

from collections import defaultdict

groups = defaultdict(list)
for word in ["apple", "avocado", "bean"]:
    groups[word[0]].append(word)
answer_get = (groups.get("z"), "z" in groups)
groups["q"]
answer = dict(groups)
counts = defaultdict(int, {"a": 5})
counts["a"] += 1
counts["b"] += 1
answer_counts = dict(counts)
