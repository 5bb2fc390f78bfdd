"""A list that holds itself, an object that refers to itself, and an extend with itself."""


class Node:
    def __init__(self):
        self.me = self
        self.value = 1


values = [1]
values.append(values)
values[1].append(2)
node = Node()
node.me.me.value += 1
twice = [1, 2]
twice += twice
twice.extend(twice[:1])
rows = [[]] * 2
rows[0] += rows
answer = (
    len(values),
    values[1] is values,
    values[0],
    values[-1],
    node.value,
    twice,
    len(rows[1]),
    rows[0] is rows[1],
)
table = {}
table["self"] = table
answer_table = (table["self"]["self"] is table, len(table))
