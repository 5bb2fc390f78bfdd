"""A closure reads its free name when it is called; before the name is bound that is an error."""


def outer():
    def show():
        return value

    try:
        first = show()
    except NameError:
        first = "unbound"
    value = 1
    second = show()
    value += 1
    return first, second, show(), show.__closure__[0].cell_contents


def adders():
    return [lambda x, n=n: x + n for n in range(3)] + [lambda x: x + k for k in (10, 20)]


answer = outer()
answer_adders = [f(1) for f in adders()]
