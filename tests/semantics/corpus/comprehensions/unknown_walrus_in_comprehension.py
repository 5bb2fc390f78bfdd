"""A walrus inside a comprehension is left with an unknown value, or with a known one in spite of a filter."""
# given: n in (1, 3, 9)

found = [last := v for v in (1, 2, 3) if v <= n]
answer_found = found
answer_last = last
all_of_them = [final := v for v in (1, 2, 3)]
answer_final = final
first_big = next((v for v in (1, 2, 3) if v > n), "none")
answer_first_big = first_big
answer_any = any((hit := v) == 2 for v in (1, 2, 3))
answer_hit = hit
