"""fromkeys shares its value, setdefault gives what is there, a list default is made in vain."""

shared = dict.fromkeys("ab", [])
shared["a"].append(1)
groups = {}
for word in ("ant", "bee", "ape"):
    groups.setdefault(word[0], []).append(word)
existing = groups.setdefault("a", ["unused"])
existing += ["added"]
answer = (shared, groups, groups.pop("zzz", None), groups.pop("b"), list(groups))
view = groups.keys()
groups["new"] = []
answer_view = (list(view), len(view), groups.items() >= {("new", ())} if False else "no")
merged = groups | {"a": 0}
groups |= {"z": 1}
answer_merged = (merged, groups)
