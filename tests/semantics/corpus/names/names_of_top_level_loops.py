"""Loops, with, except and walrus at top level make global names that functions can read."""


def read():
    return (i, last, opened)


from contextlib import nullcontext

for i in range(3):
    last = i * 10
with nullcontext("value") as opened:
    pass
answer = read()
for i in ():
    last = "never"
answer_unchanged = read()
[inner := k for k in range(4)]
answer_inner = (inner, "k" in globals())
