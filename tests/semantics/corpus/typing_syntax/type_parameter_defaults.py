"""A type parameter may have a default; it changes nothing at run time."""
# python: 3.13


class Box[T = int]:
    size = 4

    def __init__(self, value: T):
        self.value = value


def make[T = str](value: T) -> Box[T]:
    return Box[T](value)


answer = (make(3).value, make("a").size, Box.__type_params__[0].__default__.__name__)
