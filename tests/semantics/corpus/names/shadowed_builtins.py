"""A builtin's name may be anybody's; deleting the global brings the builtin back."""

answer_before = len([1, 2])


def len(values):
    return 100


answer_shadowed = len([1, 2])
del len
answer_after = len([1, 2, 3])


def f(list):
    return list + 1


answer_parameter = f(1)
