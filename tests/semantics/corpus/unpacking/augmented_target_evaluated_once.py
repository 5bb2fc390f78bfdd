"""The target of an augmented assignment is evaluated once, before the right side."""

calls = []


def index():
    calls.append("index")
    return 1


def value():
    calls.append("value")
    numbers[1] = 100
    return 5


numbers = [1, 2, 3]
numbers[index()] += value()
answer = (numbers, calls)
