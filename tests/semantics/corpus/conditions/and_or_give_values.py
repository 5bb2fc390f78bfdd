"""`and` and `or` give one of their operands, not a bool."""

answer = [0 or "a", "" or [], 3 and "b", None and 1, 1 and 2 or 3, 0 and 2 or 3, not "", not [0]]
answer_nested = (None or {}) or ("" or "last")
settings = None
answer_default = (settings or {}).get("width", 64)
