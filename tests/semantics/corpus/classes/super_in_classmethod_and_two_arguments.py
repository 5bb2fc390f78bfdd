"""super works in classmethods and with two arguments, which may skip a class."""


class A:
    def name(self):
        return "A"

    @classmethod
    def make(cls):
        return f"A.make({cls.__name__})"


class B(A):
    def name(self):
        return "B" + super().name()

    @classmethod
    def make(cls):
        return "B." + super().make()


class C(B):
    def name(self):
        return "C" + super(B, self).name()

    def both(self):
        return [super(C, self).name(), super().name(), A.name(self)]


answer = (C().name(), C.make(), C().make(), C().both())
