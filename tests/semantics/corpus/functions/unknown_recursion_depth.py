"""A recursion of unknown depth that returns the same at its end whatever the way."""
# given: n in (0, 3, 6)


def down(n, path):
    if n <= 0:
        return "bottom"
    path.append(n)
    return down(n - 1, path)


path = []
answer_bottom = down(n, path)
answer_path = path


def count(n):
    return 0 if n <= 0 else 1 + count(n - 1)


answer_count = count(n)
answer_known = count(4)
