"""A comprehension's name stays inside; a walrus in it comes out."""

x = "outside"
squares = [x * x for x in range(4)]
answer_x = x
answer_squares = squares
total = 0
sums = [total := total + v for v in (1, 2, 3)]
answer_total = total
answer_sums = sums
found = any((hit := word).startswith("b") for word in ["abc", "bcd", "cde"])
answer_hit = (found, hit)
