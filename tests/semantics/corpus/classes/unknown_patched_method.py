"""A method is replaced on the class or the instance under an unknown condition."""
# given: n in (0, 1)


class A:
    def f(self):
        return "original"

    def g(self):
        return self.f() + "!"

    def h(self):
        return "untouched"


one, two = A(), A()
if n:
    A.f = lambda self: "patched"
    two.g = lambda: "own"
answer_f = one.f()
answer_g = two.g()
answer_h = one.h()
one.f = lambda: "instance"
answer_instance = one.g()
