"""`+=` on a name that may be an alias changes the other list too, `= ... +` does not."""
# given: n in (0, 1)

base = [1]
other = base if n else [1]
third = base if n else [1]
other += [2]
third = third + [3]
answer_base = base
answer_other = other
answer_third_first = third[0]
answer_third_last = third[-1]
text = word = "a"
if n:
    word += "b"
answer_text = text
answer_word = word
