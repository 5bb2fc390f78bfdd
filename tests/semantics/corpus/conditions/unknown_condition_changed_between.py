"""The unknown name is rebound between two tests, so they need not agree."""
# given: n in (0, 1)

first = "yes" if n else "no"
n = 1 - n
second = "yes" if n else "no"
answer_first = first
answer_second = second
answer_different = first != second
n = 0
third = "yes" if n else "no"
answer_third = third
