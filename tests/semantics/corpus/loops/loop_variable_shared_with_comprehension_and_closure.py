"""Loop names, comprehension names and closures with one name in one function."""


def f():
    functions = []
    x = "start"
    values = [x for x in range(2)]
    for x in values:
        functions.append(lambda: x)
        values_inside = {x: x + 10 for x in "ab" for x in [1]}
    before = [g() for g in functions]
    x = "end"
    return before, [g() for g in functions], values_inside


answer = f()
