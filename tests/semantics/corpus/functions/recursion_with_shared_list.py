"""Recursion in which all calls share one list, and one in which each has its own."""


def permutations(items, prefix=(), out=None):
    if out is None:
        out = []
    if not items:
        out.append(prefix)
    for i, item in enumerate(items):
        permutations(items[:i] + items[i + 1 :], prefix + (item,), out)
    return out


def depth(tree):
    return 1 + max(map(depth, tree), default=0)


def is_even(n):
    return n == 0 or is_odd(n - 1)


def is_odd(n):
    return n != 0 and is_even(n - 1)


answer = (permutations([1, 2, 3]), depth([[], [[], [[]]]]), is_even(11), permutations([]))
