"""A walrus in the condition keeps a value for the result, and is left with the last one tried."""


def half(n):
    return n // 2 if n % 2 == 0 else None


answer = [h for n in (1, 2, 3, 8, 0) if (h := half(n)) is not None]
answer_last = h
seen = set()
answer_unique = [v for v in "abcab" if v not in seen and not seen.add(v)]


def local():
    found = [y := v, y**2][1] if (v := 3) else 0
    return found, y, v


answer_local = local()
