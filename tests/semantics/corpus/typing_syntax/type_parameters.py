"""Generic functions and classes with type parameters behave as they do without them."""
# python: 3.12


def first[T](values: list[T], default: T | None = None) -> T | None:
    return values[0] if values else default


class Stack[T, *Rest]:
    limit: int = 3

    def __init__(self, *items: T):
        self.items = list(items)

    def push[U](self, item: U) -> "Stack[T]":
        self.items.append(item)
        return self


class Strings(Stack[str]):
    pass


answer = (
    first([1, 2]),
    first([], "d"),
    Stack[int](1).push("x").items,
    Strings("a").push("b").items,
    Stack.limit,
)
answer_names = ([p.__name__ for p in Stack.__type_params__], first.__type_params__[0].__name__)
