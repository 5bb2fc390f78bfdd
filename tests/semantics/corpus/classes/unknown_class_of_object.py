"""The class of an object is unknown; what both classes share is known."""
# given: n in (0, 1)


class Base:
    units = 8

    def describe(self):
        return (self.name(), self.units)


class A(Base):
    def name(self):
        return "a"


class B(Base):
    units = 8

    def name(self):
        return "b"


thing = (A if n else B)()
thing.extra = 5
answer_units = thing.units
answer_extra = thing.extra
answer_name = thing.name()
answer_describe = thing.describe()[1]
answer_is_base = isinstance(thing, Base)
