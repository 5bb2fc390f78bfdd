"""setattr with an unknown name may have changed any attribute of that object, but of no other one."""
# given: name in ("a", "b", "zzz")


class Box:
    pass


box, other = Box(), Box()
box.a = other.a = 1
box.b = 2
setattr(box, name, 50)
answer_a = box.a
answer_b = box.b
answer_other = other.a
box.a = 7
answer_again = box.a
answer_read = getattr(box, name)
