"""Writing to an unknown key of a dict: it may be a new key or an old one."""
# given: key in ("a", "b", "new")

table = {"a": 1, "b": 2}
other = dict(table)
table[key] = 50
answer_a = table["a"]
answer_length = len(table)
answer_other = other
answer_key = table[key]
table["a"] = 7
answer_again = table["a"]
answer_has = "b" in table
