"""A name is bound to a new list in an unknown round, so later appends go elsewhere."""
# given: n in (0, 1, 5)

first = current = []
for i in range(3):
    if i == n:
        current = []
    current.append(i)
answer_first = first
answer_current = current
answer_last = current[-1]
answer_total_is_known = i
