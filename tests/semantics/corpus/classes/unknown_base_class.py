"""A class whose base is unknown: its own attributes are known, inherited ones are not, shared ones are."""
# given: n in (0, 1)


class A:
    size = 1
    common = "c"


class B:
    size = 2
    common = "c"


class Child(A if n else B):
    own = 3

    def both(self):
        return (self.own, self.size)


child = Child()
answer_own = child.own
answer_common = child.common
answer_size = child.size
answer_both = child.both()
answer_is_child = isinstance(child, Child)
Child.size = 7
answer_after = child.size
