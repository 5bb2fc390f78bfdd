"""An attribute set under an unknown condition: others stay known, also through an alias."""
# given: n in (0, 1)


class Box:
    def __init__(self):
        self.a = 1
        self.b = [1]


box = Box()
alias = box
other = Box()
if n:
    alias.a = 2
    box.b.append(2)
    box.c = 3
answer_a = box.a
answer_b = alias.b
answer_first = alias.b[0]
answer_has_c = hasattr(box, "c")
answer_other = (other.a, other.b)
