"""An argument of unknown shape is brought into one form, as size arguments are."""
# given: size in (3, (3, 5), [7, 7], None)


def pair(size):
    match size:
        case None:
            return (1, 1)
        case int(n):
            return (n, n)
        case (a, b):
            return (a, b)
        case _:
            raise TypeError(size)


result = pair(size)
answer_result = result
answer_length = len(result)
answer_known = [pair(2), pair((1, 2)), pair([5, 6])]
try:
    pair("abc")
except TypeError as error:
    answer_error = error.args
