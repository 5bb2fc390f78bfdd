"""A capture stays bound after the match, even if the guard then failed; a dotted name is a value."""


class Color:
    RED = 1
    BLUE = 2


def f(value):
    match value:
        case [x, y] if y is not None and x > y:
            found = "falling"
        case Color.RED | Color.BLUE as color:
            return ("color", color)
        case (int() as x, str() | None as y):
            found = "pair"
        case _:
            x = y = found = None
    return (found, x, y)


answer = [f(v) for v in ([2, 1], 2, 1, 3, [1, None], (1, 2))]
match [10, 20]:
    case [first, second] if first > second:
        pass
    case z:
        pass
answer_left = (first, second, z)
