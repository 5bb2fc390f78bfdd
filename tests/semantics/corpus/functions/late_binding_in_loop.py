"""Functions made in a loop see the last value of its name, unless a default holds it."""

late = []
early = []
for i in range(3):
    late.append(lambda: i)
    early.append(lambda i=i: i)
answer_late = [f() for f in late]
answer_early = [f() for f in early]
i = 10
answer_later = [f() for f in late]
answer_comprehension = [f() for f in [lambda: j for j in range(3)]]
