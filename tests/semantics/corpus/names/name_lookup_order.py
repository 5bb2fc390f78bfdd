"""Local, enclosing, global, builtin: what a name finds in nested functions, classes and comprehensions."""

x = "global"
max_seen = max


def outer(x="parameter"):
    class C:
        y = x
        x = "class"

        def get(self):
            return x

        z = [x for _ in range(1)]

    def reads_global():
        global x
        return x

    return C.y, C.x, C().get(), C.z, reads_global()


class Top:
    x = x
    len = 5
    length = len

    def size(self):
        return len("abc"), self.len


def late():
    return later


later = "defined after"
max = min
answer = (outer(), Top.x, Top().size(), late(), max(1, 2), max_seen(1, 2))
