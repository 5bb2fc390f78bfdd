"""An exception in __exit__ replaces the one of the body; the target may be a pattern or an item."""


class Replace:
    def __enter__(self):
        return (1, [2, 3])

    def __exit__(self, kind, value, traceback):
        if kind:
            raise TypeError("from exit")


slots = {}
with Replace() as (a, [b, *c]):
    total = a + b
with Replace() as slots["kept"]:
    pass
try:
    with Replace():
        raise KeyError("body")
except TypeError as error:
    chain = (str(error), type(error.__context__).__name__)
answer = (a, b, c, total, slots, chain)
