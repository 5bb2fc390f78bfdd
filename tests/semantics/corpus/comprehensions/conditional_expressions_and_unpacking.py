"""Conditional expressions before the for, several ifs, unpacked targets, and comprehensions as arguments."""

table = {"conv1": (3, 64), "pool": None, "fc": (64, 10)}
answer = [f"{k}:{v[0]}" if v else k.upper() for k, v in table.items()]
answer_sizes = {name: a * b for name, (a, b) in ((k, v) for k, v in table.items() if v) if a > 1 if b < 100}
answer_star = [rest for first, *rest in ["abc", (1, 2), [3]]]
answer_sum = sum(len(k) for k in table if k != "pool") + sum([1 for _ in table], start=10)
index = [0, 0]
answer_target = [index[0] for index[0] in range(3)]
answer_index = index
pairs = [(x, y) for x in range(3) for y in range(x, 3) if (x + y) % 2 == 0]
answer_pairs = dict(pairs)
answer_matrix = [[1 if i == j else 0 for j in range(2)] for i in range(2)]
answer_joined = ",".join(str(n) for n in range(5) if n % 2)
