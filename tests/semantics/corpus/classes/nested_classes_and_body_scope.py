"""A class body is a scope of its own that its methods and nested classes cannot see by bare name."""

size = "global"


class Outer:
    size = "outer"
    copy = size

    class Inner:
        size = size + "!"

        def read(self):
            return (size, self.size, Outer.size)

    for i in range(3):
        pass
    if i > 1:
        extra = [copy]
    table = {"inner": Inner}

    def size_of(self, size=size):
        return size


answer = (
    Outer.copy,
    Outer.Inner().read(),
    Outer.i,
    Outer.extra,
    Outer().size_of(),
    Outer.table["inner"].__qualname__,
)
