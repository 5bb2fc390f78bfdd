"""In a chained assignment the value is evaluated once and the targets are bound from the left."""

order = []


class Note:
    def __setitem__(self, key, value):
        order.append((key, value))


def index(k):
    order.append(k)
    return k


note = Note()
note[index(1)] = note[index(2)] = "v"
a = b = []
a.append(1)
i = 0
values = [0, 0, 0]
i = values[i] = 2
x, y = 1, 2
x, y = y, x + y
answer = (order, b, i, values, x, y)
swap = [1, 2]
swap[0], swap[1] = swap[1], swap[0]
answer_swap = swap
