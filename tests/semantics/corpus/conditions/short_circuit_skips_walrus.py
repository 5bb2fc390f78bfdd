"""What stands behind a false `and` is not evaluated, so its name keeps its old value."""
# given: flag in (False, True)

value = 1
known = False and (value := 2)
answer_kept = value
unknown = flag and (value := 3)
answer_value = value
answer_known = known
