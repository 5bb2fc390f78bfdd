"""Keyword arguments travel up the MRO, each class taking its own."""


class Root:
    def __init__(self, **rest):
        self.rest = rest


class Sized(Root):
    def __init__(self, size=1, **rest):
        super().__init__(**rest)
        self.size = size


class Named(Root):
    def __init__(self, name="none", **rest):
        super().__init__(**rest)
        self.name = name


class Thing(Named, Sized):
    def __init__(self, *args, **rest):
        super().__init__(*args, **rest)


thing = Thing("n", size=3, other=4)
answer = (thing.name, thing.size, thing.rest)
answer_order = [c.__name__ for c in Thing.mro()]
try:

    class Impossible(Root, Thing):
        pass
except TypeError:
    answer_impossible = "no order"
