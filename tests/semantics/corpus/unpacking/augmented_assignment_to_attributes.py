"""Augmented assignment to an attribute reads the class's value and writes the instance's."""


class Counter:
    total = 10
    items = []


def get():
    calls.append("get")
    return counter


calls = []
counter = Counter()
get().total += 5
get().items += ["x"]
table = {"k": {"n": 1}}
table["k"]["n"] <<= 4
table["k"]["n"] |= 3
answer = (counter.total, Counter.total, Counter.items, "items" in vars(counter), calls, table)
n = 7
n //= 2
n **= 3
n %= 10
n ^= 1
n -= -1
answer_n = n
text = "ab"
text *= 2
answer_text = text
