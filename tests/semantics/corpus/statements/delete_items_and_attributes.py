"""del of items, slices, attributes and keys, in one statement, from the left."""


class Box:
    shared = 1


box = Box()
box.shared = 2
box.other = 3
values = [0, 1, 2, 3, 4]
table = {"a": [1, 2], "b": 2}
del values[0], values[0], table["a"][0]
del (box.shared, [table["b"]])
answer = (values, table, box.shared, vars(box))
del values[-1:], values[5:]
answer_values = values
try:
    del values[0], values[9], table["a"]
except IndexError:
    answer_half_done = (values, table)
