"""A text with an unknown piece: its known prefix, length and splits, where they hold."""
# given: name in ("conv", "fc.1", "")

full = "model." + name
answer_full = full
answer_prefix = full.startswith("model.")
answer_first = full.split(".")[0]
answer_rest = full[len("model.") :]
answer_joined = "/".join(["a", "b"])
answer_kind = "conv" if "conv" in full else "other"
answer_replaced = "x".replace("y", name)
answer_type = type(full.encode()).__name__
