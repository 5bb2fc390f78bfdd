"""Assigning through an instance hides the class attribute; mutating through it changes it for all."""


class Shared:
    items = []
    count = 0

    def add(self, item):
        self.items.append(item)
        self.count += 1


a, b = Shared(), Shared()
a.add("x")
a.add("y")
b.add("z")
answer_items = Shared.items
answer_counts = (a.count, b.count, Shared.count)
Shared.count = 100
answer_after = (a.count, Shared().count)
answer_dict = sorted(vars(a))
