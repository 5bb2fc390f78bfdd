"""A for works with __iter__ and __next__, or with __getitem__ until IndexError."""


class Countdown:
    def __init__(self, start):
        self.left = start

    def __iter__(self):
        return self

    def __next__(self):
        if self.left == 0:
            raise StopIteration
        self.left -= 1
        return self.left


class Squares:
    def __getitem__(self, index):
        if index > 3:
            raise IndexError(index)
        return index * index


counter = Countdown(3)
answer = ([v for v in counter], [v for v in counter], list(Squares()), 9 in Squares(), sum(Squares()))
