"""A guard that is unknown: the case runs or a later one does; captures happen all the same."""
# given: n in (0, 1)

match [1, 2]:
    case [a, b] if n:
        way = "guarded"
    case [a, *rest]:
        way = "star"
answer_a = a
answer_b = b
answer_way = way
match {"k": n, "fixed": 3}:
    case {"fixed": 3, "k": value}:
        kind = "always"
    case _:
        kind = "never"
answer_kind = kind
answer_value = value
