"""nonlocal finds the nearest function scope, past classes; class names are not seen by methods."""


def outer():
    x = "outer"

    class Middle:
        x = "class"
        seen_in_class = x

        def method(self):
            nonlocal x
            x += "+method"
            return x

    def inner():
        def deepest():
            nonlocal x
            x += "+deepest"

        deepest()
        return x

    m = Middle()
    return m.method(), inner(), x, Middle.x, m.seen_in_class


x = "global"


def read_global():
    class Local:
        y = x

    return Local.y


answer = (outer(), x, read_global())
