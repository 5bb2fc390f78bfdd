"""A path through nested containers goes through an unknown key; only what is on the path is in doubt."""
# given: key in ("left", "right")

tree = {"left": {"leaf": [1]}, "right": {"leaf": [2]}, "other": {"leaf": [3]}}
tree[key]["leaf"].append(9)
answer_left = tree["left"]["leaf"]
answer_left_first = tree["left"]["leaf"][0]
answer_other = tree["other"]["leaf"] if key != "other" else None
answer_keys = list(tree)
tree["left"] = {"leaf": ["fresh"]}
answer_fresh = tree["left"]
answer_total = len(tree["right"])
