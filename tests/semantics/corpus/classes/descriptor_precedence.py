"""A data descriptor wins over the instance dict, a plain one loses to it; __set_name__ tells its name."""


class Data:
    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, instance, owner):
        return (self.name, "data", instance is None)

    def __set__(self, instance, value):
        instance.__dict__[self.name] = value


class Plain:
    def __get__(self, instance, owner):
        return "plain"


class C:
    data = Data()
    plain = Plain()

    def method(self):
        return "method"


c = C()
c.data = 1
c.plain = 2
bound = c.method
c.method = lambda: "own"
answer = (c.data, C.data, c.plain, C.plain, bound(), c.method(), sorted(c.__dict__))
