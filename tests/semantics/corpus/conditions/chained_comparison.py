"""A chained comparison evaluates its middle once and stops at the first false pair."""

calls = []


def note(value):
    calls.append(value)
    return value


answer_true = note(1) < note(2) < note(3)
answer_false = note(5) < note(4) < note(9)
answer_calls = calls
answer_odd = (3 > 2 == True, (3 > 2) == True, 1 in [1, 2] == False)
