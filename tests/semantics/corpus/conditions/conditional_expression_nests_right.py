"""Conditional expressions group to the right and evaluate only the branch they take."""

taken = []


def take(value):
    taken.append(value)
    return value


def sign(x):
    return take("minus") if x < 0 else take("zero") if x == 0 else take("plus")


answer = [sign(v) for v in (5, -1, 0)]
answer_taken = taken
answer_lambda = (lambda: 1 if False else 2)()
answer_odd = [1, 2] if [] else [3] or [4]
