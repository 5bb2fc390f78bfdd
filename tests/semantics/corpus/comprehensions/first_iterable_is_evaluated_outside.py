"""In a class body a comprehension sees the class's names in its first iterable only."""

size = 100


class C:
    size = 3
    inside = [i for i in range(size)]
    outside = [size for _ in range(2)]
    nested = [(i, j) for i in range(size) for j in range(i)]


answer = (C.inside, C.outside, C.nested)
x = 5
answer_x = ([x for x in range(x)], x)
