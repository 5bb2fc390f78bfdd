"""A slice of a list is a new list; slice assignment and deletion change the old one."""

a = [0, 1, 2, 3, 4, 5]
b = a
c = a[:]
a[1:3] = ["x", "y", "z"]
del a[-1]
a[::2] = [10, 20, 30]
a[len(a) :] = [9]
a[0:0] = "st"
answer = (a, b is a, c)
del a[1::2]
answer_deleted = a
numbers = list(range(5))
numbers[-3:-1] = []
answer_shrunk = (numbers, numbers[10:], numbers[::-1], numbers[-1:0:-1], numbers[slice(1, None)])
try:
    numbers[::2] = [1]
except ValueError:
    answer_error = "sizes differ"
