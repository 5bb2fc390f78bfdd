"""__call__, __getitem__, __setitem__, __delitem__, __len__, __contains__ and __iter__ of one class."""


class Table:
    def __init__(self):
        self.cells = {}
        self.keys = []

    def __call__(self, *names, **values):
        return (len(names), values)

    def __getitem__(self, key):
        self.keys.append(key if not isinstance(key, slice) else (key.start, key.stop, key.step))
        return self.cells.get(key if not isinstance(key, slice) else "slice", "none")

    def __setitem__(self, key, value):
        self.cells[key] = value

    def __delitem__(self, key):
        del self.cells[key]

    def __len__(self):
        return len(self.cells)

    def __contains__(self, key):
        return key == "magic"


table = Table()
table[1, 2] = "pair"
table["x"] = 5
del table["x"]
got = [table[1, 2], table[1:2], table[::3], table["y"]]
answer = (got, table.keys, len(table), "magic" in table, "x" in table, bool(table), table(1, 2, a=3))
