"""Unpacking with the wrong number binds nothing; a failing later target leaves the earlier ones bound."""

a = b = "old"
try:
    a, b = (1, 2, 3)
except ValueError:
    pass
first = (a, b)
values = []
try:
    a, values[0], b = 1, 2, 3
except IndexError:
    pass
second = (a, b)


def numbers():
    for i in range(10):
        taken.append(i)
        yield i


taken = []
try:
    x, y = numbers()
except ValueError:
    pass
answer = (first, second, taken)
try:
    x, *y, z = [1]
except ValueError:
    answer_star = "needs two"
