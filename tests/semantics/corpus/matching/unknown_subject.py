"""The subject is unknown: all cases set one name alike and one differently."""
# given: n in (0, 1, "a", (1, 2))

match n:
    case 0:
        kind, units = "zero", 4
    case int():
        kind, units = "int", 4
    case [_, _]:
        kind, units = "pair", 4
    case _:
        kind, units = "other", 4
answer_kind = kind
answer_units = units
match (n, "fixed"):
    case (_, "fixed"):
        answer_second = "matched"
    case _:
        answer_second = "impossible"
