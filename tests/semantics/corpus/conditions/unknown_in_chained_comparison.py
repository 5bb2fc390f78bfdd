"""A comparison chain with an unknown part is still false if a known part before it is false."""
# given: n in (0, 3, 10)

answer_false = 5 < 4 < n
answer_and = False and n
answer_or = "first" or n
answer_unknown = 1 < n < 5
answer_type = type(1 < 2 < 3).__name__
answer_stop = [] and n > 3
