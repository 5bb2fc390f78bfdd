"""Truth comes from __bool__, then from __len__, and is true without both."""


class Empty:
    def __len__(self):
        return 0


class Never:
    def __bool__(self):
        return False

    def __len__(self):
        return 5


class Plain:
    pass


answer = [bool(v) for v in (Empty(), Never(), Plain(), 0.0, -0.0, "", " ", [[]], {}, (None,), range(0), 0j)]
answer_if = "yes" if Never() else "no"
answer_not = not Empty()
