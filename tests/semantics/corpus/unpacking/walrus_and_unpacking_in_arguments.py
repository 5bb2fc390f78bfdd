"""Walrus, star and keyword arguments in one call; later arguments see what earlier ones bound."""


def f(*args, sep="-", **more):
    return sep.join(map(str, args)) + "".join(sorted(more))


answer = f(a := 1, a + 1, *(b := [a, 3]), b[0], sep=(s := "+") * 2, **{k: 0 for k in "zy"})
answer_names = (a, b, s)
first, (second, *third), *fourth = "a", "bcd", *range(2), [9]
answer_nested = (first, second, third, fourth)
matrix = [[1, 2], [3, 4]]
(m11, m12), (m21, m22) = matrix
matrix[0][0], matrix[1] = matrix[1][1], matrix[0]
answer_matrix = (m11 * m22 - m12 * m21, matrix, matrix[0] is matrix[1])
for key, (low, high) in {"k": (1, 2)}.items():
    key, low = low, key
answer_loop = (key, low, high)
head, *_, tail = sorted({3, 1, 2})
answer_ends = head, tail
