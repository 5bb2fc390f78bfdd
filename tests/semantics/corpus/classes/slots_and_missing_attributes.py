"""A class with __slots__ has no instance dict and takes no other names."""


class Slim:
    __slots__ = ("a", "b")
    c = 5

    def __init__(self):
        self.a = 1


slim = Slim()
errors = []
for action in ("slim.d = 1", "slim.b", "slim.c = 6"):
    try:
        exec(action)
    except AttributeError:
        errors.append(action)
slim.b = 2
answer = (errors, slim.a + slim.b, hasattr(slim, "__dict__"), slim.c)


class Wide(Slim):
    pass


wide = Wide()
wide.d = 9
answer_child = (wide.__dict__, wide.a)
