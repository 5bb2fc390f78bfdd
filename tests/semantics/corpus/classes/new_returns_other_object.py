"""__init__ runs only if __new__ returned an instance of the class."""


class Picky:
    def __new__(cls, value):
        log.append(("new", value))
        if value < 0:
            return "negative"
        if value == 0:
            return existing[0]
        return super().__new__(cls)

    def __init__(self, value):
        log.append(("init", value))
        self.value = value


log, existing = [], []
a = Picky(5)
existing.append(a)
b = Picky(-1)
c = Picky(0)
answer = (a.value, b, c is a, log)


class Fixed(tuple):
    def __new__(cls, *items):
        return super().__new__(cls, sorted(items))


answer_tuple = (tuple(Fixed(3, 1, 2)), Fixed(2, 1) == (1, 2), len(Fixed()))
