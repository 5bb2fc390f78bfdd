"""A default is evaluated when def runs, in the scope of the def, each time def runs."""

calls = []


def note(value):
    calls.append(value)
    return value


functions = []
for base in (1, 2):

    def f(x, y=note(base * 10), *, z=note(base)):
        return x + y + z

    functions.append(f)
base = 100
answer = [f(1000) for f in functions]
answer_calls = calls
answer_override = functions[0](0, z=0)
