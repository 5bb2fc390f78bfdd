"""The reflected method is asked second, but first if its class is a subclass of the other's."""


class Number:
    def __init__(self, value):
        self.value = value

    def __add__(self, other):
        return "add" if isinstance(other, Number) else NotImplemented

    def __radd__(self, other):
        return f"radd {other}"

    def __sub__(self, other):
        return NotImplemented

    def __mul__(self, other):
        return "Number.mul"

    def __rmatmul__(self, other):
        return [other, self.value]


class Special(Number):
    def __rmul__(self, other):
        return "Special.rmul"


n, s = Number(1), Special(2)
answer = [n + n, 5 + n, n * s, s * n, n * n, "left" @ n, sum([n], 10)]
try:
    n - n
except TypeError:
    answer_error = "no minus"
