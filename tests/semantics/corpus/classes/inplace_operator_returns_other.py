"""`+=` binds whatever __iadd__ returns, so the name may end up as something else."""


class Odd:
    def __init__(self):
        self.log = []

    def __iadd__(self, other):
        self.log.append(other)
        return "replaced" if other == "end" else self


value = odd = Odd()
value += 1
same = value is odd
value += "end"
answer = (same, value, odd.log)
