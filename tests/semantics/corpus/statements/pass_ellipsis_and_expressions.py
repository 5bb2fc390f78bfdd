"""Statements that do nothing, several on a line, docstrings, line joining, lambda bodies, ... as a value."""

# fmt: off
pass
...
"a bare string"
a = 1; b = 2; c = a + \
    b
def f(): "doc"; return ...
class Empty: pass
if a: b = 20
else: b = 30
d = (
    1,
), [
    2
]
nothing = f
answer = (c, b, d, f() is ..., f.__doc__, Empty.__name__, nothing() is Ellipsis)
answer_generator = (lambda: (yield))().__class__.__name__
answer_parentheses = ((1), (1,), (), [()], ((2)) == 2, not (), -(-3), - - 3, 1 if () else 2)
