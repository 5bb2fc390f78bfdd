"""isinstance with tuples and unions, issubclass, type with one and three arguments, callable."""


class A:
    pass


class B(A):
    def __len__(self):
        return 0


b = B()
Made = type("Made", (B,), {"x": 5, "double": lambda self: self.x * 2})
answer = (
    isinstance(b, A),
    isinstance(True, (str, int)),
    isinstance(1, int | str),
    isinstance([], tuple),
    type(b) is A,
)
answer_class = (issubclass(B, A), issubclass(bool, int), issubclass(A, (B, object)), type(type(b)) is type)
answer_made = (Made().double(), Made.__name__, Made.__bases__[0] is B, len(Made()), isinstance(Made, type))
answer_names = [
    type(v).__name__ for v in (1, 1.0, "", None, [], len, b, range(1), {}.keys(), NotImplemented, ...)
]
b.__class__ = Made
answer_changed = (b.x, type(b).__name__)
