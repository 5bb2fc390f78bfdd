"""__getattribute__ stands before the instance dict; special methods are looked up past it."""


class Watch:
    value = 1

    def __init__(self):
        self.own = 2

    def __getattribute__(self, name):
        seen.append(name)
        if name == "fake":
            return "made up"
        return super().__getattribute__(name)

    def __len__(self):
        return 7


seen = []
w = Watch()
answer = (w.own, w.value, w.fake, len(w), w.__len__())
answer_seen = seen
