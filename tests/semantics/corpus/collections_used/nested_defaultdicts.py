"""defaultdicts of defaultdicts and of counters, with their factories, missing keys and conversions."""

from collections import Counter, defaultdict

tree = defaultdict(lambda: defaultdict(int))
for a, b in ["xy", "xz", "xy", "pq"]:
    tree[a][b] += 1
counts = defaultdict(Counter)
counts["k"].update("aab")
counts["k"]["b"] += 10
endless = (lambda make: make(make))(lambda make: defaultdict(lambda: make(make)))
endless["a"]["b"]["c"] = 1
answer = ({k: dict(v) for k, v in tree.items()}, dict(counts["k"]), "z" in tree["new"], len(tree))
answer_endless = (endless["a"]["b"]["c"], len(endless["zzz"]), sorted(endless))
indices = defaultdict(lambda: len(indices))
answer_indices = ([indices[w] for w in "abacab"], dict(indices))
plain = defaultdict(None, {"a": 1})
try:
    plain["b"]
except KeyError:
    answer_plain = "no factory"
