"""Names with two leading underscores are mangled by the class they are written in."""


class Base:
    __secret = "base"

    def __init__(self):
        self.__own = 1

    def read(self):
        return (self.__secret, self.__own)


class Child(Base):
    __secret = "child"

    def read_own(self):
        return self.__secret


child = Child()
child.__own = "outside"
answer = (child.read(), child.read_own(), sorted(vars(child)), hasattr(child, "__secret"), Base._Base__secret)
