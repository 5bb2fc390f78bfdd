"""The target of a for may be an attribute, an item or a slice."""


class Holder:
    pass


holder = Holder()
items = [0, 0]
total = []
for holder.value in (1, 2, 3):
    total.append(holder.value * 2)
for items[1] in "ab":
    pass
numbers = [9, 9, 9]
for numbers[:2] in [(1,), (2, 3, 4)]:
    pass
answer = (holder.value, total, items, numbers)
