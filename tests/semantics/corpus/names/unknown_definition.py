"""A function is defined under an unknown condition; both definitions agree on one thing."""
# given: n in (0, 1)

if n:

    def width():
        return 8

    def depth():
        return 1
else:

    def width():
        return 16 // 2

    def depth():
        return 2


answer_width = width()
answer_depth = depth()
answer_name = width.__name__
